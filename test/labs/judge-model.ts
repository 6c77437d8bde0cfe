import type { ChatRequestBody, ScriptEntry } from '../servers/scripted-model.ts';

/**
 * Answers the questions to models whose names begin with `judge`: they prefer the answer `Short.`, and where both or none are
 * short what they see first. `judge-broken` does not answer as it is asked.
 */
export function judgeByLength({ model, messages }: ChatRequestBody): ScriptEntry | undefined {
  if (!model.startsWith('judge')) return undefined;
  if (model === 'judge-broken') return { text: 'Both are nice.' };
  const [first, second] = (messages.at(-1)?.content ?? '')
    .split('\n\nB:\n')
    .map((text) => text.includes('"Short."'));
  const winner = first === second || first ? 'A' : 'B';
  return { text: `\`\`\`json\n{"winner": "${winner}", "reason": "Because."}\n\`\`\`` };
}
