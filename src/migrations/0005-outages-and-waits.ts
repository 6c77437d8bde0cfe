import type { Knex } from 'knex';

/**
 * `claimed_by` tells an attempt that lost the answer to its claim from another attempt, and `claimed_from` is the status
 * that the claim found. `start_timeout_ms` bounds the time that a turn waits for a worker, and `hung_iteration` is the
 * last iteration whose model call fell silent. The sweeper looks first at the turns with the oldest `swept_at`.
 */
const columns = `
ALTER TABLE tool_calls ADD COLUMN claimed_by uuid, ADD COLUMN claimed_from text;
ALTER TABLE turns ADD COLUMN start_timeout_ms integer NOT NULL DEFAULT 600000, ADD COLUMN hung_iteration integer,
  ADD COLUMN swept_at timestamptz;
ALTER TABLE workspaces ADD COLUMN start_timeout_ms integer CHECK (start_timeout_ms > 0);
`;

/** Programs that do not know the columns leave them empty. */
export const isCompatible = true;

/** Adds what turns need to outlast an outage of the database and a time without workers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
}
