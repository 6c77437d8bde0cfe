import { sweepGroupSize, sweepRows, type Sweep } from './sweep-rows.ts';

interface StartSweep<Work> {
  /** Names the sweep in logs, in the health of a worker and in the Web UI. */
  name: string;
  rows: {
    /** Takes at most `limit` rows of work in which nothing has happened for longer than a start takes. */
    take: (limit: number) => Promise<Work[]>;
    markSwept: (ids: string[]) => Promise<void>;
  };
  toId: (work: Work) => string;
  /** Starts the workflow, or wakes the one that runs. */
  start: (work: Work) => Promise<void>;
}

/**
 * Creates the sweep of work whose whole state is stored. It starts the workflows that are not there: the process that stored
 * the work died before it started them, a start has failed, or Temporal has lost them. A workflow that runs is only woken,
 * and reads its work again.
 */
export function createStartSweep<Work>({ name, rows, toId, start }: StartSweep<Work>): Sweep {
  const { take, markSwept } = rows;
  const swept = { take: () => take(sweepGroupSize), toId, sweepRow: start, markSwept };
  return { name, sweep: (run) => sweepRows(swept, run) };
}
