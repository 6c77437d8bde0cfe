import { hideFromOthers, isInConversation, isOfPerson, isolateTable } from '../isolate.ts';

const conversationTable = `
CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  agent_id uuid NOT NULL REFERENCES agents,
  title text,
  tags text[] NOT NULL DEFAULT '{}',
  -- The format that the conversation was imported from.
  source text,
  made_by jsonb,
  -- The normal form of the name of the person to whom it belongs; null for the workspace alone.
  person text,
  -- Names of people in normal form; an empty name for all people of the workspace.
  shared_with text[] NOT NULL DEFAULT '{}',
  -- The caller's id of the conversation, unique for its agent and for the person for whom it was made ('' for no person).
  -- That person stays when the conversation gets another one later.
  external_id text,
  external_person text NOT NULL DEFAULT '',
  last_event_seq bigint NOT NULL DEFAULT 0, last_turn_ordinal integer NOT NULL DEFAULT 0,
  -- What the messages and tool results hold in all, so that a window of the newest turns is found without adding up.
  characters bigint NOT NULL DEFAULT 0,
  -- The tokens of a byte by the name of the model that has counted them last.
  token_ratios jsonb NOT NULL DEFAULT '{}',
  -- The turns that the model does not see: rolled back, or withdrawn before they began.
  hidden_ordinals integer[] NOT NULL DEFAULT '{}',
  -- A fork keeps the ids of what it was forked from, without references: its parent may be deleted.
  parent_conversation_id uuid, parent_turn_id uuid, parent_iteration integer,
  -- The ordinal of the forked turn in the parent, and that of the first turn here which is no copy.
  parent_ordinal integer, fork_ordinal integer,
  fork_hash text,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX ON conversations (workspace_id, id);
CREATE INDEX ON conversations (agent_id, id);
CREATE INDEX conversations_deleted ON conversations (id) WHERE deleted_at IS NOT NULL;
CREATE INDEX conversations_tagged ON conversations (workspace_id, id) WHERE cardinality(tags) > 0;
CREATE INDEX conversations_forks ON conversations (parent_conversation_id, id) WHERE parent_conversation_id IS NOT NULL;
CREATE INDEX conversations_of_person ON conversations (workspace_id, person, id) WHERE person IS NOT NULL;
CREATE INDEX conversations_shared ON conversations (workspace_id, id) WHERE cardinality(shared_with) > 0;
CREATE UNIQUE INDEX conversations_external ON conversations (workspace_id, external_id, agent_id, external_person)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;
${isolateTable('conversations')}
${hideFromOthers('conversations', `${isOfPerson} OR shared_with && ARRAY[(SELECT current_person()), '']`)}
CREATE POLICY named_by_token ON conversations AS RESTRICTIVE TO holdfast_app
  USING ((SELECT current_conversations()) IS NULL OR id = ANY ((SELECT current_conversations())::uuid[]));
`;

/**
 * As a function, the condition is planned only when a transaction names a person. As part of a policy it would stand twice in
 * each plan for each mention of a table, with the policies of conversations, and be set up for each run of a statement of a
 * turn, which never names one. The function sees rows as its caller does.
 */
const seesConversation = `
CREATE FUNCTION sees_conversation(target uuid) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM conversations WHERE id = target);
END $$;
`;

const events = `
-- No reference to conversations: append_events has just updated the row, and events are the most frequent of rows.
CREATE TABLE events (
  conversation_id uuid NOT NULL,
  seq bigint NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  turn_id uuid NOT NULL,
  type text NOT NULL,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (conversation_id, seq)
);
CREATE INDEX ON events (turn_id, seq);
-- Few events are of these types, so that the indexes cost nearly nothing.
CREATE INDEX events_passed_models ON events (workspace_id, created_at) WHERE type = 'model.passed';
CREATE INDEX events_compacted ON events (turn_id) WHERE type = 'context.compacted';

-- Numbers events and stores them; the lock on the conversation's row makes commit order the order of seq. An answer also
-- says how many tokens a byte has for its model; that is stored by the same change of the row.
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
${isolateTable('events')}
${hideFromOthers('events', isInConversation('events.conversation_id'))}
`;

const chunks = `
-- The sequence is logged on purpose: after a crash the chunks are gone, but their numbers continue.
CREATE SEQUENCE stream_chunk_ids;
CREATE UNLOGGED TABLE stream_chunks (
  id bigint PRIMARY KEY DEFAULT nextval('stream_chunk_ids'),
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL, turn_id uuid NOT NULL,
  iteration integer NOT NULL, attempt integer NOT NULL,
  text text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON stream_chunks (conversation_id, id);
CREATE INDEX ON stream_chunks (created_at);
GRANT USAGE ON SEQUENCE stream_chunk_ids TO holdfast_app, holdfast_system;
${isolateTable('stream_chunks')}
${hideFromOthers('stream_chunks', isInConversation('stream_chunks.conversation_id'))}
`;

/** Conversations, their events, and the pieces of text that are streamed. */
export const conversations = [conversationTable, seesConversation, events, chunks].join('');
