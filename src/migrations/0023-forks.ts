import type { Knex } from 'knex';

/**
 * Programs that do not know it fork nothing. An API that does may fork with recorded tools only after all workers do: the
 * sweeper of an older one would start such a turn with its tools.
 */
export const isCompatible = true;

/**
 * A fork keeps the ids of what it was forked from, without references: its parent may be deleted. `parent_ordinal` is the
 * ordinal of the forked turn there, and `fork_ordinal` that of the first turn here which is no copy. A copied turn has the id
 * of its original in `copied_from`. A turn with `recorded_from` never runs a tool: its calls get the recorded answers of
 * that turn. The first `copied_iterations` steps of a turn are copies. `answered_by` of a call is null when the call ran here.
 */
const forks = `
ALTER TABLE conversations
  ADD COLUMN parent_conversation_id uuid,
  ADD COLUMN parent_turn_id uuid,
  ADD COLUMN parent_iteration integer,
  ADD COLUMN parent_ordinal integer,
  ADD COLUMN fork_ordinal integer,
  ADD COLUMN fork_hash text;
CREATE INDEX conversations_forks ON conversations (parent_conversation_id, id) WHERE parent_conversation_id IS NOT NULL;

ALTER TABLE turns
  ADD COLUMN copied_from uuid,
  ADD COLUMN recorded_from uuid,
  ADD COLUMN copied_iterations integer NOT NULL DEFAULT 0;

ALTER TABLE tool_calls
  ADD COLUMN answered_by text,
  ADD COLUMN recorded_call_id uuid;
`;

/** Maps an id of a parent to that of its copy: a UUID of version 8 from the first bytes of SHA-256 over the two ids. */
const forkedId = `
CREATE FUNCTION forked_id(fork uuid, original uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT overlay(overlay(h PLACING '8' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid
  FROM (SELECT left(encode(sha256(uuid_send(fork) || uuid_send(original)), 'hex'), 32)) AS hashed (h)
$$;
`;

/** Lets a conversation begin with a copy of the beginning of another one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(forks);
  await knex.raw(forkedId);
}
