import type { Knex } from 'knex';
import { createSweptRows } from '../../platform/work/swept-rows.ts';
import type { SwarmRef } from './swarm-contract.ts';

/** Swarms that have not ended, and to which nothing happens. They rest for longer, since their turns may take long. */
export function createSwarmSweepRepository(system: Knex) {
  return createSweptRows<SwarmRef>(system, {
    table: 'swarms',
    columns: 'id AS "swarmId", workspace_id AS "workspaceId"',
    condition: 'settled_at IS NULL',
    ...{ since: 'updated_at', graceMs: 20_000, restMs: 100_000 },
  });
}
