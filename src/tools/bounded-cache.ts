/** A map that keeps the entries used last and forgets the others. */
export interface BoundedCache<Value> {
  /** The kept value, or the one that `create` makes now. Nothing is kept when `create` throws. */
  getOrCreate(key: string, create: () => Value): Value;
}

/** Builds a cache of at most `maxEntries` entries. */
export function createBoundedCache<Value>(maxEntries: number): BoundedCache<Value> {
  const entries = new Map<string, { value: Value }>();
  return {
    getOrCreate(key, create) {
      const entry = entries.get(key) ?? { value: create() };
      // A Map lists its keys in the order of insertion: the first is the one not used for longest.
      entries.delete(key);
      entries.set(key, entry);
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      return entry.value;
    },
  };
}
