/**
 * Makes a function that hands out ids of tool calls which it has never handed out before: the wanted id
 * where it is free, otherwise the same with a counter. Equal input gives equal ids, so that a conversation
 * is told the same way every time and the prompt caches of providers hold.
 */
export function createUniqueCallIds(): (wanted: string) => string {
  const used = new Set<string>();
  return (wanted) => {
    const base = wanted.trim() === '' ? 'call' : wanted;
    let id = base;
    for (let count = 2; used.has(id); count += 1) id = `${base}_${count}`;
    used.add(id);
    return id;
  };
}
