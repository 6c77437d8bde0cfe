/** A message of a prompt, as a model gets it. */
export interface PromptMessage {
  role: string;
  content: string | null;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

/** The prompts of the conversations that the model has seen. */
export interface PromptRecord {
  add: (messages: PromptMessage[]) => void;
  /** The texts of the user in the longest prompt of the conversation that begins with a text. */
  textsFrom: (firstText: string) => string[];
  /** The largest number of times that one prompt contains a text of the user; 0 when no prompt has it. */
  mostOf: (text: string) => number;
  /** One sentence for each prompt that was no valid conversation. */
  problemsFrom: (firstText: string) => string[];
}

/** Keeps of each conversation the longest prompt, of each text its count, and what was wrong with any prompt. */
export function createPromptRecord(): PromptRecord {
  const longest = new Map<string, string[]>();
  const problems = new Map<string, string[]>();
  const most = new Map<string, number>();
  return {
    add: (messages) => {
      const texts = messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => split(content ?? ''));
      for (const [text, { length }] of Map.groupBy(texts, (one) => one)) {
        most.set(text, Math.max(length, most.get(text) ?? 0));
      }
      const [first = ''] = texts;
      const found = findPromptProblem(messages);
      if (found !== null) problems.set(first, [...(problems.get(first) ?? []), found]);
      if (texts.length > (longest.get(first)?.length ?? 0)) longest.set(first, texts);
    },
    textsFrom: (first) => longest.get(first) ?? [],
    mostOf: (text) => most.get(text) ?? 0,
    problemsFrom: (first) => problems.get(first) ?? [],
  };
}

/**
 * Returns the texts of the user in a message: a compatible server gets those that follow each other as one, with a blank line between
 * them. What Holdfast says about the turn before is none.
 */
function split(content: string): string[] {
  return content.split('\n\n').filter((text) => !text.startsWith('[A note of the system '));
}

/** Finds the first answer that is not directly followed by the results of its tool calls; null when there is none. */
export function findPromptProblem(messages: PromptMessage[]): string | null {
  const open = new Set<string>();
  for (const { role, content, tool_calls: calls = [], tool_call_id: id = '' } of messages) {
    if (role === 'tool') {
      if (!open.delete(id)) return `a result of ${id}, which no answer asked for or which has one`;
      continue;
    }
    if (open.size > 0)
      return `"${content ?? ''}" of the ${role} stands before the result of ${[...open].join()}`;
    for (const call of calls) open.add(call.id);
  }
  return open.size > 0 ? `no result of ${[...open].join()}` : null;
}
