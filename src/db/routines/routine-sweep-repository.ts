import type { Knex } from 'knex';

/** A run whose workflow may be missing. */
export interface SilentRun {
  runId: string;
  workspaceId: string;
}

/** Runs of all workspaces that have not ended, for the sweeper; needs the system database. */
export function createRoutineSweepRepository(system: Knex) {
  return {
    /**
     * Takes runs that nobody has looked at for a while: new ones after `graceMs`, others once in five minutes, those first
     * that were never looked at.
     */
    takeSilent: async ({ graceMs, limit }: { graceMs: number; limit: number }): Promise<SilentRun[]> => {
      const { rows } = await system.raw<{ rows: SilentRun[] }>(
        `UPDATE routine_runs SET swept_at = now() WHERE id IN (
           SELECT id FROM routine_runs
           WHERE settled_at IS NULL AND created_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND coalesce(swept_at, '-infinity'::timestamptz) < now() - make_interval(mins => 5)
           ORDER BY coalesce(swept_at, '-infinity'::timestamptz) LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "runId", workspace_id AS "workspaceId"`,
        { graceMs, limit },
      );
      return rows;
    },

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
