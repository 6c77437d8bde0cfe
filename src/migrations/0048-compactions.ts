import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/**
 * Programs that do not know it give a model the newest turns that fit, whatever was left out before, and show a summary as
 * a message of the agent.
 */
export const isCompatible = true;

/**
 * One row for each time that the context of a conversation was shortened. From the model call of `turn_ordinal` and
 * `iteration` on, the model does not see the turns up to `through_ordinal`, sees the summary `message_id` in their place,
 * and sees large tool results of the turns up to `references_through` as references. A row says all of this, also what an
 * earlier one has decided. `through_offset` is the number of characters of the next turn that the summary covers too.
 */
const compactions = `
CREATE TABLE compactions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL REFERENCES conversations,
  turn_id uuid NOT NULL REFERENCES turns,
  turn_ordinal integer NOT NULL,
  iteration integer NOT NULL,
  number integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('references', 'oldest_first', 'summarize')),
  from_ordinal integer NOT NULL,
  through_ordinal integer NOT NULL,
  through_offset integer NOT NULL DEFAULT 0,
  references_through integer NOT NULL,
  message_id uuid,
  tokens_before bigint NOT NULL,
  tokens_after bigint NOT NULL,
  model text,
  answered_by text,
  input_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  credits bigint,
  error jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (conversation_id, turn_ordinal, iteration, number)
);
CREATE INDEX compactions_turn ON compactions (turn_id);
${isolateTable('compactions')}
`;

/** \`token_ratios\` has the tokens of a byte by the name of the model that has counted them last. */
const columns = `
ALTER TABLE agent_versions
  ADD COLUMN compaction text NOT NULL DEFAULT 'oldest_first',
  ADD COLUMN compaction_threshold integer,
  ADD COLUMN summary_model text;
ALTER TABLE conversations ADD COLUMN token_ratios jsonb NOT NULL DEFAULT '{}';
ALTER TABLE messages DROP CONSTRAINT messages_role_check;
ALTER TABLE messages ADD CONSTRAINT messages_role_check CHECK (role IN ('user', 'assistant', 'summary')) NOT VALID;
ALTER TABLE credit_entries DROP CONSTRAINT credit_entries_kind_check;
ALTER TABLE credit_entries ADD CONSTRAINT credit_entries_kind_check
  CHECK (kind IN ('model', 'tool', 'replay', 'embedding', 'summary')) NOT VALID;
`;

/** An answer teaches how many tokens a byte has for its model; that is noted in the same change of the row. */
const appendEvents = `
DROP FUNCTION append_events(uuid, uuid, jsonb, integer);
CREATE FUNCTION append_events(target uuid, of_turn uuid, new_events jsonb, more_characters integer, learned jsonb DEFAULT '{}')
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE last_seq bigint;
BEGIN
  UPDATE conversations SET last_event_seq = last_event_seq + jsonb_array_length(new_events),
    characters = characters + more_characters, token_ratios = token_ratios || learned
    WHERE id = target RETURNING last_event_seq INTO STRICT last_seq;
  INSERT INTO events (conversation_id, seq, turn_id, type, payload)
    SELECT target, last_seq - jsonb_array_length(new_events) + item.position, of_turn,
      item.event ->> 'type', item.event -> 'payload'
    FROM jsonb_array_elements(new_events) WITH ORDINALITY AS item (event, position);
  RETURN last_seq;
END $$;
`;

/** Adds the compaction of contexts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
  await knex.raw(compactions);
  await knex.raw(appendEvents);
}
