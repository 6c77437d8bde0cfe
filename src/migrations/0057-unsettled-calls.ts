import type { Knex } from 'knex';

/** Programs that do not know the columns leave calls as they ended. */
export const isCompatible = true;

/**
 * `settle_state` is set for calls whose outcome is unknown and may be asked for again; `settle_at` is the time of the next
 * attempt, and missing before the first one, which counts from the end of the turn. `settle_attempts` counts the attempts.
 */
const columns = `
ALTER TABLE tool_calls
  ADD COLUMN settle_state text CHECK (settle_state IN ('waiting', 'settled', 'given_up')),
  ADD COLUMN settle_at timestamptz,
  ADD COLUMN settle_attempts integer NOT NULL DEFAULT 0;
CREATE INDEX tool_calls_unsettled ON tool_calls (settle_at NULLS FIRST) WHERE settle_state = 'waiting';
`;

/** Lets calls whose outcome is unknown be asked for again after their turn. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
}
