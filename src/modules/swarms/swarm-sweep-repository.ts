import type { Knex } from 'knex';
import type { SwarmRef } from './swarm-contract.ts';
import { createRestMark, isDue, leased } from '../../platform/work/sweep-lease.ts';

/** A swarm whose workflow was woken is left alone for so many times the grace: its turns may take long. */
const restFactor = 5;

/** Swarms of all workspaces that have not ended, for the sweeper; needs the system database. */
export function createSwarmSweepRepository(system: Knex) {
  return {
    /** Takes swarms that nothing has happened to for a while, under a lease. */
    takeSilent: async ({ graceMs, limit }: { graceMs: number; limit: number }): Promise<SwarmRef[]> => {
      const restMs = graceMs * restFactor;
      const { rows } = await system.raw<{ rows: SwarmRef[] }>(
        `UPDATE swarms SET swept_at = ${leased(restMs)} WHERE id IN (
           SELECT id FROM swarms
           WHERE settled_at IS NULL AND updated_at < now() - make_interval(secs => :graceMs / 1000.0)
             AND ${isDue('swept_at', restMs)}
           ORDER BY updated_at LIMIT :limit FOR UPDATE SKIP LOCKED)
         RETURNING id AS "swarmId", workspace_id AS "workspaceId"`,
        { graceMs, limit },
      );
      return rows;
    },

    /** Notes that the workflows of swarms were woken: none of them is woken again while it rests. */
    markSwept: createRestMark(system, 'swarms'),
  };
}
