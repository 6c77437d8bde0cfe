/** A sweep that has failed several times in a row in this process. */
export interface FailingSweep {
  name: string;
  /** The number of failures since its last success. */
  failures: number;
  /** The time of the first of them, as ISO 8601. */
  since: string;
}

/** The number of failures in a row from which a sweep counts as failing. */
const failingFrom = 3;

/** Counts the failures in a row of each sweep of a process. */
export interface SweepFailures {
  succeeded: (name: string) => void;
  /** Returns the number of failures in a row. */
  failed: (name: string) => number;
  /** Lists the sweeps that have failed three times in a row or more. */
  list: () => FailingSweep[];
}

/** Creates the counts of one process. */
export function createSweepFailures(): SweepFailures {
  const counts = new Map<string, FailingSweep>();
  return {
    succeeded: (name) => void counts.delete(name),
    failed: (name) => {
      const { failures, since } = counts.get(name) ?? { failures: 0, since: new Date().toISOString() };
      counts.set(name, { name, failures: failures + 1, since });
      return failures + 1;
    },
    list: () => [...counts.values()].filter(({ failures }) => failures >= failingFrom),
  };
}
