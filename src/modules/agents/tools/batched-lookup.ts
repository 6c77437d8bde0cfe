/**
 * Builds a lookup that collects the keys that are asked for until the event loop turns, and finds all of them at once.
 * Each key is found once. Returns null for a key that is not found.
 */
export function createBatchedLookup<Found>(
  findAll: (keys: string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | null> {
  const asked = new Map<string, Promise<Found | null>>();
  let next: { keys: string[]; found: Promise<ReadonlyMap<string, Found>> } | null = null;

  const openBatch = () => {
    const keys: string[] = [];
    const turn = new Promise<void>((resolve) => setImmediate(resolve));
    const found = turn.then(() => {
      next = null;
      return findAll(keys);
    });
    return { keys, found };
  };

  return (key) => {
    const known = asked.get(key);
    if (known) return known;
    next ??= openBatch();
    next.keys.push(key);
    const found = next.found.then((all) => all.get(key) ?? null);
    asked.set(key, found);
    return found;
  };
}
