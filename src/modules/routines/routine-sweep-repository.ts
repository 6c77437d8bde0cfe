import type { Knex } from 'knex';
import { createRestMark, leased } from '../../platform/work/sweep-lease.ts';

/** How long a run is left alone after a sweep, in milliseconds. */
const restMs = 5 * 60_000;

/** A run whose workflow may be missing. */
export interface SilentRun {
  runId: string;
  workspaceId: string;
}

/** Runs of all workspaces that have not ended, for the sweeper; needs the system database. */
export function createRoutineSweepRepository(system: Knex) {
  return {
    /**
     * Takes runs under a lease: new ones after `graceMs`, others five minutes after their last sweep, those first that were
     * never swept.
     */
    takeSilent: async ({ graceMs, limit }: { graceMs: number; limit: number }): Promise<SilentRun[]> => {
      const { rows } = await system.raw<{ rows: SilentRun[] }>(
        `UPDATE routine_runs SET swept_at = ${leased(restMs)} WHERE id IN (
           SELECT id FROM routine_runs
           WHERE settled_at IS NULL AND created_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND coalesce(swept_at, '-infinity'::timestamptz) < now() - make_interval(secs => ${restMs / 1000})
           ORDER BY coalesce(swept_at, '-infinity'::timestamptz) LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "runId", workspace_id AS "workspaceId"`,
        { graceMs, limit },
      );
      return rows;
    },

    /** Notes that runs were swept: none of them is taken again for five minutes. */
    markSwept: createRestMark(system, 'routine_runs'),

    /** Removes events that were emitted long ago. */
    removeOldEvents: async (): Promise<void> => {
      const some = system('routine_events')
        .whereRaw(`created_at < now() - make_interval(days => 7)`)
        .orderBy('created_at')
        .limit(1_000)
        .select('id');
      await system('routine_events').whereIn('id', some).delete();
    },
  };
}

export type RoutineSweepRepository = ReturnType<typeof createRoutineSweepRepository>;
