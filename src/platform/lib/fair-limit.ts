import { LRUCache } from 'lru-cache';

/** How work is shared out. */
export interface FairLimitOptions {
  /** How many pieces of work run at the same time. */
  slots: number;
  /** Work that takes longer makes its owner slow. */
  slowMs: number;
  /** How long an owner stays slow, in milliseconds. */
  slowForMs: number;
  /** The longest time that work waits for a slot. */
  waitMs: number;
}

/**
 * Runs a piece of work of an owner when a slot is free; returns null for work that has waited too long. The time of the
 * work counts from its last call of `begin`, so that time spent on preparations does not mark the owner as slow.
 */
export type FairLimit = <Result>(
  owner: string,
  work: (begin: () => void) => Promise<Result>,
) => Promise<Result | null>;

/**
 * Shares slots between owners: each owner uses one slot at a time, and those who wait take turns. Slow owners leave one
 * slot to the others, so that however many they are, a quick piece of work waits for quick ones only.
 */
export function createFairLimit({ slots, slowMs, slowForMs, waitMs }: FairLimitOptions): FairLimit {
  const waiting = new Map<string, (() => void)[]>();
  const running = new Set<string>();
  const slow = new LRUCache<string, true>({ max: 10_000, ttl: slowForMs });
  const lastTurns = new LRUCache<string, number>({ max: 10_000 });
  let turns = 0;
  const slowSlots = Math.max(1, slots - 1);

  const mayRun = (owner: string) => {
    if (running.has(owner) || running.size >= slots) return false;
    return !slow.has(owner) || [...running].filter((each) => slow.has(each)).length < slowSlots;
  };

  const startNext = () => {
    const owner = findNext();
    if (owner === undefined) return;
    const [start, ...later] = waiting.get(owner) ?? [];
    if (later.length > 0) waiting.set(owner, later);
    else waiting.delete(owner);
    lastTurns.set(owner, (turns += 1));
    start?.();
    startNext();
  };

  /** The owner whose last turn is the longest ago. */
  const findNext = (): string | undefined => {
    const owners = [...waiting.keys()].filter(mayRun);
    return owners.sort((one, other) => (lastTurns.get(one) ?? 0) - (lastTurns.get(other) ?? 0))[0];
  };

  const waitForSlot = (owner: string): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        const left = (waiting.get(owner) ?? []).filter((each) => each !== start);
        if (left.length > 0) waiting.set(owner, left);
        else waiting.delete(owner);
        resolve(false);
      }, waitMs);
      const start = () => {
        clearTimeout(timer);
        running.add(owner);
        resolve(true);
      };
      waiting.set(owner, [...(waiting.get(owner) ?? []), start]);
      startNext();
    });

  return async (owner, work) => {
    if (!(await waitForSlot(owner))) return null;
    let begun = performance.now();
    try {
      return await work(() => (begun = performance.now()));
    } finally {
      if (performance.now() - begun > slowMs) slow.set(owner, true);
      running.delete(owner);
      startNext();
    }
  };
}
