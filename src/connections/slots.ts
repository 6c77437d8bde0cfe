/** How many tasks may run at the same time. */
interface SlotLimits {
  total: number;
  /** The limit of each key, so that one key cannot take all slots. */
  perKey: number;
}

/** Runs `work` when a slot is free; tasks of one key wait in order. */
type RunInSlot = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits how many tasks hold a scarce resource, such as a database session. `p-limit` cannot do this: a free slot goes
 * to the key with the fewest running tasks, and several queues of `p-limit` cannot share one total.
 */
export function createSlots({ total, perKey }: SlotLimits): RunInSlot {
  const waiting: { key: string; enter: () => void }[] = [];
  const busy = new Map<string, number>();
  let taken = 0;
  const hasRoom = (key: string) => taken < total && (busy.get(key) ?? 0) < perKey;
  /** Finds the first waiting task of the key with the fewest running ones, so that a long queue delays no other key. */
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
