import { createHash } from 'node:crypto';

/**
 * The ids of tool calls that vendors take: Anthropic wants these characters, the Responses API of OpenAI at most 64 of them, and its
 * Chat Completions at most 40.
 */
export const commonCallId = /^[a-zA-Z0-9_-]{1,40}$/;

/**
 * Creates a function that returns an id of a tool call which it has not returned before: the wanted id when it is
 * free, otherwise the same with a counter. An id that does not have the form becomes a hash of it. Equal input gives equal ids, so
 * that a conversation is sent in the same form every time and the prompt caches of vendors hold.
 */
export function createUniqueCallIds(form?: RegExp): (wanted: string) => string {
  const used = new Set<string>();
  // The next count for each id: some models name every call "call_0", and counting from 2 each time would be slow.
  const nextCounts = new Map<string, number>();
  const fit = (id: string) => (form === undefined || form.test(id) ? id : toHash(id));
  return (wanted) => {
    const base = wanted.trim() === '' ? 'call' : wanted;
    let count = nextCounts.get(base) ?? 2;
    let id = fit(base);
    for (; used.has(id); count += 1) id = fit(`${base}_${count}`);
    nextCounts.set(base, count);
    used.add(id);
    return id;
  };
}

/** Nine letters and digits: the only ids that Mistral takes, and that all others take too. */
function toHash(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}
