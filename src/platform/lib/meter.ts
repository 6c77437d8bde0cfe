import { AsyncLocalStorage } from 'node:async_hooks';

/** The connections and credentials that a piece of work has used. */
export interface MeterCounts {
  connectionsOpened: number;
  credentialsDecrypted: number;
}

const meters = new AsyncLocalStorage<MeterCounts | null>();

/** Runs work, and counts what it and everything that it starts reach outside. */
export async function metered<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; counts: MeterCounts }> {
  const counts: MeterCounts = { connectionsOpened: 0, credentialsDecrypted: 0 };
  return { result: await meters.run(counts, run), counts };
}

/** Runs a part of metered work without counting its connections and credentials: it has a separate limit. */
export function unmetered<Result>(run: () => Result): Result {
  return meters.run(null, run);
}

/** Counts one use for the work that it is a part of, if that is metered. Called where the thing happens. */
export function noteUse(kind: keyof MeterCounts): void {
  const counts = meters.getStore();
  if (counts) counts[kind] += 1;
}
