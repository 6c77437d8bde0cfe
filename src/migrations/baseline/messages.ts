import { isolateTable } from '../isolate.ts';

const tables = `
-- A row for each message of an agent to another one; its id comes from the key of its call.
CREATE TABLE sent_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL, sender_turn_id uuid NOT NULL,
  recipient jsonb NOT NULL,
  -- The turn that the message has started.
  turn_id uuid,
  -- The turn that began the chain of messages, and the place of this one in the chain.
  origin_turn_id uuid NOT NULL,
  depth integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON sent_messages (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX ON sent_messages (origin_turn_id);
CREATE INDEX ON sent_messages (workspace_id, created_at);

-- Messages to people.
CREATE TABLE inbox_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  person text NOT NULL,
  subject text, text text NOT NULL,
  sender jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz
);
CREATE INDEX ON inbox_messages (workspace_id, person, id);
CREATE INDEX ON inbox_messages (workspace_id, created_at);

-- Messages to the members of a swarm, all of whom read all of them.
CREATE TABLE topic_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  swarm_id uuid NOT NULL,
  topic text NOT NULL, text text NOT NULL,
  sender jsonb NOT NULL,
  -- Whether the leader has got it in a turn.
  leader_told boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX topic_messages_of_swarm ON topic_messages (swarm_id, id);
CREATE INDEX ON topic_messages (workspace_id, created_at);
`;

/** The messages of agents to people and to each other. */
export const messages =
  tables + ['sent_messages', 'inbox_messages', 'topic_messages'].map(isolateTable).join('');
