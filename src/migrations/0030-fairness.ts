import type { Knex } from 'knex';

/** Programs that do not know it start all turns at once, and promote turns without looking at the limit. */
export const isCompatible = true;

/**
 * The index begins with the status: a plan that is made without statistics takes the one with the most conditions.
 * `max_running_turns` is null where turns are not limited. `turn_weight` is the share of the workers that a workspace gets
 * beside others; null is 1. Turns of a lower `priority` number go first.
 */
const columns = `
ALTER TABLE workspaces
  ADD COLUMN max_running_turns int CHECK (max_running_turns > 0),
  ADD COLUMN turn_weight real CHECK (turn_weight > 0);
ALTER TABLE turns ADD COLUMN priority smallint NOT NULL DEFAULT 3;
CREATE INDEX turns_with_places ON turns (status, workspace_id, priority, created_at)
  WHERE status IN ('running', 'queued') AND parent_turn_id IS NULL;
`;

/** Lets a workspace limit its running turns. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
}
