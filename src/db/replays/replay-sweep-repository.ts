import type { Knex } from 'knex';
import type { ReplayPlace } from '../../../workflows/contract/replay-steps.ts';

/** Replays of all workspaces that have not ended, for the sweeper; needs the system database. */
export function createReplaySweepRepository(system: Knex) {
  return {
    /** Takes replays that nothing has happened to for a while, so that the next call takes others. */
    takeSilent: async ({ graceMs, limit }: { graceMs: number; limit: number }): Promise<ReplayPlace[]> => {
      const { rows } = await system.raw<{ rows: ReplayPlace[] }>(
        `UPDATE replays SET swept_at = now() WHERE id IN (
           SELECT id FROM replays
           WHERE settled_at IS NULL AND status <> 'paused' AND updated_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND (swept_at IS NULL OR swept_at < now() - make_interval(secs => :graceMs / 1000.0))
           ORDER BY updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "replayId", workspace_id AS "workspaceId"`,
        { graceMs, limit },
      );
      return rows;
    },
  };
}

export type ReplaySweepRepository = ReturnType<typeof createReplaySweepRepository>;
