import type { Knex } from 'knex';

/** Programs that do not know it let every message wait for the next turn. */
export const isCompatible = true;

/**
 * A queued turn that `steers` gives its message to the turn that runs, and is over then. Messages that a turn took stand after
 * the answer and the results of an iteration, in the order of `steered_ordinal`. A turn counts them, so that an
 * answer to fewer messages is not stored. `hidden_ordinals` are the turns that the model does not see: rolled back, or
 * withdrawn before they began.
 */
const steering = `
ALTER TABLE turns
  ADD COLUMN message_id uuid,
  ADD COLUMN steers boolean NOT NULL DEFAULT false,
  ADD COLUMN steered integer NOT NULL DEFAULT 0,
  ADD COLUMN steered_into uuid,
  ADD COLUMN rolled_back boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT turns_status_check,
  ADD CONSTRAINT turns_status_check CHECK (status IN ('queued', 'running', 'waiting_for_approval',
    'completed', 'failed', 'cancelled', 'timed_out', 'iteration_limit', 'steered')) NOT VALID;

ALTER TABLE messages
  ADD COLUMN steered_ordinal integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT messages_conversation_id_turn_ordinal_iteration_key,
  ADD UNIQUE (conversation_id, turn_ordinal, iteration, steered_ordinal);

ALTER TABLE tool_calls
  DROP CONSTRAINT tool_calls_status_check,
  ADD CONSTRAINT tool_calls_status_check
    CHECK (status IN ('requested', 'started', 'succeeded', 'failed', 'unknown', 'blocked', 'skipped')) NOT VALID;

ALTER TABLE conversations ADD COLUMN hidden_ordinals integer[] NOT NULL DEFAULT '{}';
`;

/** Adds messages that reach a turn while it runs. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(steering);
}
