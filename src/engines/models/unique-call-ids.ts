/**
 * Creates a function that returns an id of a tool call which it has not returned before: the wanted id when it is
 * free, otherwise the same with a counter. Equal input gives equal ids, so that a conversation is sent in the same
 * form every time and the prompt caches of vendors hold.
 */
export function createUniqueCallIds(): (wanted: string) => string {
  const used = new Set<string>();
  // The next count for each id: some models name every call "call_0", and counting from 2 each time would be slow.
  const nextCounts = new Map<string, number>();
  return (wanted) => {
    const base = wanted.trim() === '' ? 'call' : wanted;
    let count = nextCounts.get(base) ?? 2;
    let id = base;
    for (; used.has(id); count += 1) id = `${base}_${count}`;
    nextCounts.set(base, count);
    used.add(id);
    return id;
  };
}
