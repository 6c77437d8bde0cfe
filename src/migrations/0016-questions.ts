import type { Knex } from 'knex';

/**
 * A call may wait for several actions, one after the other: an approval, and what it asks then. `position` numbers those
 * of one kind. `source` says which MCP server asks, and what it needs to continue.
 */
const questions = `
ALTER TABLE pending_actions
  DROP CONSTRAINT pending_actions_kind_check,
  ADD CONSTRAINT pending_actions_kind_check CHECK (kind IN ('approval', 'question', 'client_tool')),
  DROP CONSTRAINT pending_actions_status_check,
  ADD CONSTRAINT pending_actions_status_check
    CHECK (status IN ('pending', 'approved', 'rejected', 'answered', 'expired', 'cancelled')),
  DROP CONSTRAINT pending_actions_tool_call_id_key,
  ADD COLUMN position integer NOT NULL DEFAULT 0,
  ADD COLUMN question text,
  ADD COLUMN schema jsonb,
  ADD COLUMN options jsonb,
  ADD COLUMN source jsonb,
  ADD COLUMN answer jsonb,
  ADD COLUMN is_error boolean,
  ADD UNIQUE (tool_call_id, kind, position)
`;

/** Lets tool calls wait for answers. Programs that do not know it find no unique index for an approval. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(questions);
}
