import type { EventPayload } from '../../src/domain/event.ts';
import type { ChatRequestBody, ScriptEntry } from '../servers/scripted-model.ts';
import type { LabScene } from './turn-lab-scene.ts';
import type { TurnLab } from './turn-lab.ts';

/** Returns true for a request that asks for a summary. */
export function isSummary({ messages }: ChatRequestBody): boolean {
  return messages.some(({ role, content }) => role === 'system' && content?.includes('memory of an agent'));
}

/** An answer to a request that asks for no summary. */
export const answerAs = (text: string): ScriptEntry => ({
  text,
  usage: { inputTokens: 1, outputTokens: 1 },
  when: (body) => !isSummary(body),
});
/** An answer to a request that asks for a summary. */
export const summarizeAs = (text: string, parts: ScriptEntry = {}): ScriptEntry => ({
  ...{ text, usage: { inputTokens: 100, outputTokens: 10 }, when: isSummary },
  ...parts,
});

/** Lists the payloads of the events of a conversation's summaries. */
export async function listCompacted(
  lab: TurnLab,
  { conversationId }: LabScene,
): Promise<EventPayload<'context.compacted'>[]> {
  const events = await lab.readEvents(conversationId);
  return events.flatMap((event) => (event.type === 'context.compacted' ? [event.payload] : []));
}
