import type { Logger } from 'pino';
import { isTemporalOutage } from '../lib/temporal-outage.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';

/** The number of rows that a sweep takes, and works on at the same time. All of them end within their lease. */
export const sweepGroupSize = 20;

/** One run of a sweep. */
export interface SweepRun {
  /** Returns true when the sweep may begin no more rows: it was cancelled, or its time is over. */
  isStopped: () => boolean;
  logger: Logger;
}

/** One kind of repair. It throws when its own queries fail, which stops no other sweep. */
export interface Sweep {
  /** Names the sweep in logs, in the health of a worker and in the Web UI. */
  name: string;
  sweep: (run: SweepRun) => Promise<SweepCounts>;
}

interface SweptRows<Row> {
  /** Takes rows that need a sweep; the sweep ends when it gets none that are new to it. */
  take: () => Promise<Row[]>;
  toId: (row: Row) => string;
  sweepRow: (row: Row) => Promise<void>;
  /** Notes that rows were swept. Rows that failed keep their lease, and are due when it has ended. @default no note */
  markSwept?: (ids: string[]) => Promise<void>;
}

/** Sweeps rows group by group. A row that fails is logged, counted and left to a later sweep. */
export async function sweepRows<Row>(rows: SweptRows<Row>, run: SweepRun): Promise<SweepCounts> {
  const seen = new Set<string>();
  const counts = { done: 0, failed: 0 };
  while (!run.isStopped()) {
    const taken = await rows.take();
    const fresh = taken.filter((row) => !seen.has(rows.toId(row)));
    if (fresh.length === 0) break;
    for (let start = 0; start < fresh.length && !run.isStopped(); start += sweepGroupSize) {
      const group = fresh.slice(start, start + sweepGroupSize);
      const swept = await sweepGroup(rows, group, run.logger);
      for (const row of group) seen.add(rows.toId(row));
      counts.done += swept.length;
      counts.failed += group.length - swept.length;
    }
  }
  return counts;
}

/** Returns the ids of the rows that were swept. */
async function sweepGroup<Row>(
  { toId, sweepRow, markSwept }: SweptRows<Row>,
  group: Row[],
  logger: Logger,
): Promise<string[]> {
  const ends = await Promise.all(
    group.map(async (row) => {
      try {
        await sweepRow(row);
        return [toId(row)];
      } catch (error) {
        const level = isTemporalOutage(error) ? 'debug' : 'error';
        logger[level]({ err: error, id: toId(row) }, 'a row could not be swept');
        return [];
      }
    }),
  );
  const swept = ends.flat();
  if (swept.length > 0) await markSwept?.(swept);
  return swept;
}
