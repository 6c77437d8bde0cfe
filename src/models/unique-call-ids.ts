/**
 * Makes a function that hands out ids of tool calls which it has never handed out before: the wanted id
 * where it is free, otherwise the same with a counter. Equal input gives equal ids, so that a conversation
 * is told the same way every time and the prompt caches of providers hold.
 */
export function createUniqueCallIds(): (wanted: string) => string {
  const used = new Set<string>();
  // Where to look next for each id: some models name every call "call_0", and counting from 2 takes its time.
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
