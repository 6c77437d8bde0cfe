/** The names of all sweeps. */
export interface SweepList {
  sweeps: string[];
}

/** Names one of the sweeps that `listSweeps` lists. */
export interface SweepInput {
  sweep: string;
}

/** The number of rows that a sweep has repaired or left as they should be, and of those that failed. */
export interface SweepCounts {
  done: number;
  failed: number;
}

/** The last result of each sweep in a run of `turnSweep`. A sweep whose query failed has no counts. */
export type SweepResults = Record<string, SweepCounts | 'failed'>;

/** The activities of the sweeper, which repairs work whose process failed. */
export interface SweepSteps {
  /** Returns the names of all sweeps. */
  listSweeps: () => Promise<SweepList>;
  /** Runs one sweep. */
  runSweep: (input: SweepInput) => Promise<SweepCounts>;
}
