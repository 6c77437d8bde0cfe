import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it send no messages. */
export const isCompatible = true;

/**
 * Messages of agents. `inbox_messages` are for people, `topic_messages` for the members of a swarm. `sent_messages` has a
 * row for each message of an agent, whose id comes from the key of its call: `turn_id` is the turn that it has started,
 * `origin_turn_id` the turn without which no message of its chain were there, and `depth` its place in that chain.
 */
const messages = `
CREATE TABLE sent_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL,
  sender_turn_id uuid NOT NULL,
  recipient jsonb NOT NULL,
  turn_id uuid,
  origin_turn_id uuid NOT NULL,
  depth integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON sent_messages (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX ON sent_messages (origin_turn_id);
CREATE INDEX ON sent_messages (workspace_id, created_at);

CREATE TABLE inbox_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  person text NOT NULL,
  subject text,
  text text NOT NULL,
  sender jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz
);
CREATE INDEX ON inbox_messages (workspace_id, person, id);
CREATE INDEX ON inbox_messages (workspace_id, created_at);

CREATE TABLE topic_messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  swarm_id uuid NOT NULL,
  topic text NOT NULL,
  text text NOT NULL,
  sender jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON topic_messages (swarm_id, topic, id);
CREATE INDEX ON topic_messages (workspace_id, created_at);
`;

/** The messages of agents to people and to each other. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(messages);
  await knex.raw(['sent_messages', 'inbox_messages', 'topic_messages'].map(isolateTable).join('\n'));
}
