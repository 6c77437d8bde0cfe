import { hideFromOthers, isInside, isOfPerson, isolateTable } from '../isolate.ts';

const swarmTable = `
-- Nothing of a swarm has a reference to turns or agents: those may be removed before it.
CREATE TABLE swarms (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL CHECK (kind IN ('simple', 'rich')),
  goal text NOT NULL,
  leader_agent_id uuid, conversation_id uuid,
  team_config jsonb NOT NULL DEFAULT '{}', limits jsonb NOT NULL,
  status text NOT NULL DEFAULT 'running'
    CHECK (status IN ('running', 'paused', 'ending', 'completed', 'ended', 'stopped', 'failed')),
  ends_as text CHECK (ends_as IN ('completed', 'ended', 'stopped', 'failed')),
  reason text, result text,
  request_hash text NOT NULL,
  started_by jsonb,
  -- The actors who changed the state of the swarm, which all of its members see.
  participants jsonb NOT NULL DEFAULT '[]',
  -- The normal form of the name of the person to whom it belongs; null for the workspace alone.
  person text,
  parent_swarm_id uuid, parent_turn_id uuid, parent_conversation_id uuid,
  -- The swarms above, outermost first: a turn of this swarm counts there too.
  lineage uuid[] NOT NULL DEFAULT '{}',
  -- The agents of the turns above, whose rules hold for the turns of the members.
  rule_sources jsonb NOT NULL DEFAULT '[]',
  leader_fails integer NOT NULL DEFAULT 0,
  -- Of turns that are over, in the swarm and in all below it.
  turns_used integer NOT NULL DEFAULT 0, tokens_used bigint NOT NULL DEFAULT 0,
  credits_used bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deadline_at timestamptz NOT NULL,
  settled_at timestamptz, swept_at timestamptz
) WITH (fillfactor = 50);
-- The ids of swarms come from hashes, so lists are ordered by the time of creation.
CREATE INDEX ON swarms (workspace_id, created_at, id);
CREATE INDEX swarms_open ON swarms (updated_at) WHERE settled_at IS NULL;
CREATE INDEX swarms_inside ON swarms (parent_swarm_id) WHERE parent_swarm_id IS NOT NULL;
`;

const stateTables = `
CREATE TABLE swarm_subtasks (
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  id text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  position integer NOT NULL,
  description text NOT NULL,
  assignee uuid NOT NULL,
  depends_on text[] NOT NULL,
  priority text NOT NULL, status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0, tries integer NOT NULL DEFAULT 0,
  result text, error jsonb,
  turn_id uuid,
  is_told boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL, started_at timestamptz, ended_at timestamptz,
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

-- The turns of the leader, which have no subtask, and of the members.
CREATE TABLE swarm_turns (
  turn_id uuid PRIMARY KEY,
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  subtask_id text,
  -- The step of the workflow that has stored the turn.
  step text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX ON swarm_turns (swarm_id) WHERE ended_at IS NULL;
CREATE INDEX ON swarm_turns (conversation_id);
CREATE INDEX ON swarm_turns (swarm_id);

-- The keys of the changes that were applied, so that none is applied twice.
CREATE TABLE swarm_updates (
  swarm_id uuid NOT NULL REFERENCES swarms ON DELETE CASCADE,
  key text NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (swarm_id, key)
);
`;

const isolated = ['swarms', 'swarm_subtasks', 'swarm_blackboard', 'swarm_turns', 'swarm_updates'];

/** Swarms of agents with their shared state. */
export const swarms = `
${swarmTable}
${stateTables}
${isolated.map(isolateTable).join('')}
${hideFromOthers('swarms', `${isOfPerson} OR ${isInside('conversations', 'swarms.parent_conversation_id')}`)}
${['swarm_subtasks', 'swarm_blackboard', 'swarm_turns']
  .map((table) => hideFromOthers(table, isInside('swarms', `${table}.swarm_id`)))
  .join('')}`;
