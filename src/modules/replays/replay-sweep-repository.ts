import type { Knex } from 'knex';
import type { ReplayRef } from './replay-contract.ts';
import { createRestMark, isDue, leased } from '../../platform/work/sweep-lease.ts';

/** Replays of all workspaces that have not ended, for the sweeper; needs the system database. */
export function createReplaySweepRepository(system: Knex) {
  return {
    /** Takes replays that nothing has happened to for a while, under a lease. */
    takeSilent: async ({ graceMs, limit }: { graceMs: number; limit: number }): Promise<ReplayRef[]> => {
      const { rows } = await system.raw<{ rows: ReplayRef[] }>(
        `UPDATE replays SET swept_at = ${leased(graceMs)} WHERE id IN (
           SELECT id FROM replays
           WHERE settled_at IS NULL AND status <> 'paused' AND updated_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND ${isDue('swept_at', graceMs)}
           ORDER BY updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "replayId", workspace_id AS "workspaceId"`,
        { graceMs, limit },
      );
      return rows;
    },

    /** Notes that replays were swept: none of them is taken again for its grace. */
    markSwept: createRestMark(system, 'replays'),
  };
}
