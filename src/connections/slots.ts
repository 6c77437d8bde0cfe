/** How many pieces of work may run at the same time. */
interface SlotLimits {
  total: number;
  /** For each key, so that one key cannot take all slots. */
  perKey: number;
}

/** Runs work when a slot is free; the rest waits, each key in order. */
type RunInSlot = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Builds a limit for work that holds something scarce, such as a database session. It is not `p-limit`: when a slot
 * becomes free, it goes to the key with the fewest running, and several queues of `p-limit` cannot share one total.
 */
export function createSlots({ total, perKey }: SlotLimits): RunInSlot {
  const waiting: { key: string; enter: () => void }[] = [];
  const busy = new Map<string, number>();
  let taken = 0;
  const hasRoom = (key: string) => taken < total && (busy.get(key) ?? 0) < perKey;
  /** The first waiting of the key with the fewest running: a key with a long queue does not delay the others. */
  const findNext = () =>
    waiting
      .filter(({ key }) => hasRoom(key))
      .reduce<(typeof waiting)[number] | undefined>(
        (least, one) => (least && (busy.get(least.key) ?? 0) <= (busy.get(one.key) ?? 0) ? least : one),
        undefined,
      );
  const take = (key: string) => {
    taken += 1;
    busy.set(key, (busy.get(key) ?? 0) + 1);
  };
  const leave = (key: string) => {
    taken -= 1;
    const left = (busy.get(key) ?? 1) - 1;
    if (left === 0) busy.delete(key);
    else busy.set(key, left);
    const entering = findNext();
    if (!entering) return;
    waiting.splice(waiting.indexOf(entering), 1);
    take(entering.key);
    entering.enter();
  };
  return async (key, work) => {
    if (hasRoom(key)) take(key);
    else await new Promise<void>((resolve) => waiting.push({ key, enter: resolve }));
    try {
      return await work();
    } finally {
      leave(key);
    }
  };
}
