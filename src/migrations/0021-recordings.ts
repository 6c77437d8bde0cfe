import type { Knex } from 'knex';

/** Programs that do not know the columns leave them empty; `tool_choice` is null in the rows that they store. */
export const isCompatible = true;

/**
 * `usage` keeps what a model call got besides the agent version, where that cannot be told from other rows: the enabled
 * tools that were left out (null when none was), the sampling settings (null for the defaults of the vendor), and the
 * first turn of the context (null when that was the first turn of the conversation). `source` of a conversation is the
 * format that it was imported from.
 */
const recordings = `
ALTER TABLE usage
  ADD COLUMN tool_choice text,
  ADD COLUMN left_out jsonb,
  ADD COLUMN sampling jsonb,
  ADD COLUMN context_from integer;

ALTER TABLE conversations
  ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
  ADD COLUMN source text;
CREATE INDEX conversations_tagged ON conversations (workspace_id, id) WHERE cardinality(tags) > 0;

ALTER TABLE turns ADD COLUMN imported_at timestamptz;
`;

/** Completes what is recorded of model calls, and lets conversations be tagged and imported. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(recordings);
}
