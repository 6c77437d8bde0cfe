import type { Knex } from 'knex';
import { createSweptRows } from '../../platform/work/swept-rows.ts';
import type { ReplayRef } from './replay-contract.ts';

/** Replays that have not ended, and to which nothing happens. */
export function createReplaySweepRepository(system: Knex) {
  return createSweptRows<ReplayRef>(system, {
    table: 'replays',
    columns: 'id AS "replayId", workspace_id AS "workspaceId"',
    condition: "settled_at IS NULL AND status <> 'paused'",
    ...{ since: 'updated_at', graceMs: 20_000 },
  });
}
