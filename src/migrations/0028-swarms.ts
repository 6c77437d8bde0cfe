import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it start no swarms. A worker that does has to run before an API that does. */
export const isCompatible = true;

/**
 * A swarm and its shared state. Nothing has a reference to turns or agents: those may be removed before the swarm.
 * `lineage` are the swarms above, outermost first: a turn of a swarm counts there too. `swarm_turns` are the turns of the
 * leader (without a subtask) and of the members; `step` names the step of the workflow that has stored the turn.
 * `swarm_updates` has the keys of the changes that were applied, so that none is applied twice.
 */
const swarms = `
CREATE TABLE swarms (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL CHECK (kind IN ('simple', 'rich')),
  goal text NOT NULL,
  leader_agent_id uuid,
  conversation_id uuid,
  team_config jsonb NOT NULL DEFAULT '{}',
  limits jsonb NOT NULL,
  status text NOT NULL DEFAULT 'running'
    CHECK (status IN ('running', 'paused', 'ending', 'completed', 'ended', 'stopped', 'failed')),
  ends_as text CHECK (ends_as IN ('completed', 'ended', 'stopped', 'failed')),
  reason text,
  result text,
  request_hash text NOT NULL,
  started_by jsonb,
  parent_swarm_id uuid,
  parent_turn_id uuid,
  parent_conversation_id uuid,
  lineage uuid[] NOT NULL DEFAULT '{}',
  leader_fails integer NOT NULL DEFAULT 0,
  turns_used integer NOT NULL DEFAULT 0,
  tokens_used bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deadline_at timestamptz NOT NULL,
  settled_at timestamptz,
  swept_at timestamptz
) WITH (fillfactor = 50);
CREATE INDEX ON swarms (workspace_id, id);
CREATE INDEX swarms_open ON swarms (updated_at) WHERE settled_at IS NULL;
CREATE INDEX swarms_inside ON swarms (parent_swarm_id) WHERE parent_swarm_id IS NOT NULL;

CREATE TABLE swarm_subtasks (
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  id text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  position integer NOT NULL,
  description text NOT NULL,
  assignee uuid NOT NULL,
  depends_on text[] NOT NULL,
  priority text NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  result text,
  error jsonb,
  turn_id uuid,
  is_told boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (swarm_id, id)
);

CREATE TABLE swarm_blackboard (
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  id text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  value jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (swarm_id, id)
);

CREATE TABLE swarm_turns (
  turn_id uuid PRIMARY KEY,
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  subtask_id text,
  step text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX ON swarm_turns (swarm_id) WHERE ended_at IS NULL;
CREATE INDEX ON swarm_turns (conversation_id);
CREATE INDEX ON swarm_turns (swarm_id);

CREATE TABLE swarm_updates (
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  key text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (swarm_id, key)
);
`;

/** Adds swarms of agents with shared state. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(swarms);
  for (const table of ['swarms', 'swarm_subtasks', 'swarm_blackboard', 'swarm_turns', 'swarm_updates'])
    await knex.raw(isolateTable(table));
}
