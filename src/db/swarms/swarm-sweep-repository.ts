import type { Knex } from 'knex';
import type { SwarmPlace } from '../../../workflows/contract/swarm-steps.ts';

/** A swarm whose workflow was woken is left alone for so many times the grace: its turns may take long. */
const restFactor = 5;

/** Swarms of all workspaces that have not ended, for the sweeper; needs the system database. */
export function createSwarmSweepRepository(system: Knex) {
  return {
    /** Takes swarms that nothing has happened to for a while, so that the next call takes others. */
    takeSilent: async ({ graceMs, limit }: { graceMs: number; limit: number }): Promise<SwarmPlace[]> => {
      const { rows } = await system.raw<{ rows: SwarmPlace[] }>(
        `UPDATE swarms SET swept_at = now() WHERE id IN (
           SELECT id FROM swarms
           WHERE settled_at IS NULL AND updated_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND (swept_at IS NULL OR swept_at < now() - make_interval(secs => :restMs / 1000.0))
           ORDER BY updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "swarmId", workspace_id AS "workspaceId"`,
        { graceMs, restMs: graceMs * restFactor, limit },
      );
      return rows;
    },
  };
}

export type SwarmSweepRepository = ReturnType<typeof createSwarmSweepRepository>;
