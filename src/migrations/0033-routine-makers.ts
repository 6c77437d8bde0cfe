import type { Knex } from 'knex';

/** Programs that do not know it store routines without their maker, and runs without the turn that has started them. */
export const isCompatible = true;

/**
 * `request_id` names the request that made a version, so that a repeated one makes no other. The sweeper takes open runs in
 * the order in which it has looked at them; those that it has not seen come first.
 */
const columns = `
ALTER TABLE routines ADD COLUMN owner jsonb;
ALTER TABLE routine_versions ADD COLUMN made_by jsonb, ADD COLUMN request_id uuid;
CREATE UNIQUE INDEX ON routine_versions (request_id) WHERE request_id IS NOT NULL;
ALTER TABLE routine_runs ADD COLUMN caller_turn_id uuid, ADD COLUMN caller_agent_id uuid;
DROP INDEX routine_runs_open;
CREATE INDEX routine_runs_open ON routine_runs ((coalesce(swept_at, '-infinity'::timestamptz)))
  WHERE settled_at IS NULL;
CREATE INDEX ON routine_runs (workspace_id, settled_at) WHERE settled_at IS NOT NULL;
`;

/** Adds the makers of routines, the callers of runs, and indexes for the sweeper and the retention. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
}
