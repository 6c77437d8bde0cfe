import { hideFromOthers, isInConversation, isolateTable } from '../isolate.ts';

const turnTable = `
CREATE TABLE turns (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL REFERENCES conversations,
  agent_id uuid NOT NULL,
  agent_version_id uuid NOT NULL REFERENCES agent_versions,
  ordinal integer NOT NULL,
  message_id uuid,
  characters_before bigint NOT NULL DEFAULT 0,
  request_hash text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'waiting_for_approval',
    'completed', 'failed', 'cancelled', 'timed_out', 'iteration_limit', 'steered')),
  -- Turns of a lower number go first.
  priority smallint NOT NULL DEFAULT 3,

  -- The actor that started the turn, and those who changed what it does. A turn that another one, a swarm or a routine
  -- started keeps who asked for it and the conversation in which that began; both are null for a turn of a client.
  started_by jsonb,
  participants jsonb NOT NULL DEFAULT '[]',
  asked_by text,
  -- The one for whom it was started, through all turns above it, in normal form. A trigger sets it.
  person text,
  root_conversation_id uuid,
  swarm_id uuid,
  parent_turn_id uuid, parent_tool_call_id uuid,
  -- The agents of the turns above, outermost first.
  lineage uuid[] NOT NULL DEFAULT '{}',
  -- The turns above, outermost first: their limits of calls and canary tokens hold here too.
  rule_sources jsonb NOT NULL DEFAULT '[]',
  -- What is left of the limits of the turn above.
  max_iterations integer, max_tokens bigint,

  -- JSON that keeps the order of its keys, in which models write the fields.
  response_schema json,
  answer text, answer_json json, error jsonb,
  iterations integer NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0, cache_write_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0, reasoning_tokens bigint NOT NULL DEFAULT 0,
  -- Whether the vendor has not reported all counts of tokens.
  usage_estimated boolean NOT NULL DEFAULT false,
  -- Of its own calls.
  credits bigint NOT NULL DEFAULT 0,

  -- A queued turn that steers gives its message to the turn that runs, and is over then. A turn counts the messages that
  -- it took, so that an answer to fewer messages is not stored.
  steers boolean NOT NULL DEFAULT false, steered integer NOT NULL DEFAULT 0, steered_into uuid,
  -- The running turn of which a model call has the message of this queued turn, which ends when the answer is stored. It
  -- starts the next turn when that turn ends without the answer.
  taken_by uuid,
  rolled_back boolean NOT NULL DEFAULT false,

  imported_at timestamptz,
  -- The original of a copied turn. The first copied_iterations steps of a turn are copies.
  copied_from uuid,
  copied_iterations integer NOT NULL DEFAULT 0,
  -- The turn whose recorded answers the tool calls get; then no tool is run.
  recorded_from uuid,

  timeout_ms integer NOT NULL,
  -- Bounds the time that the turn waits for a worker.
  start_timeout_ms integer NOT NULL DEFAULT 600000,
  -- A turn that waits for people keeps the time that it has left.
  time_left_ms integer,
  start_seen boolean NOT NULL DEFAULT false,
  restarts integer NOT NULL DEFAULT 0,
  -- The attempts of its steps that failed and were made again.
  failed_attempts jsonb NOT NULL DEFAULT '[]',
  -- The last iteration whose model call fell silent.
  hung_iteration integer,
  cancel_requested_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz, deadline_at timestamptz, settled_at timestamptz,
  -- The sweeper looks first at the turns with the oldest time.
  swept_at timestamptz,
  -- The worker that runs a turn without a workflow: null for a turn that has one, and all zeros while no worker has taken it.
  direct_owner uuid,
  -- The process that runs the steps, so that the writes of a process that has lost the turn change nothing. It is null while
  -- workflow code runs the steps.
  held_by uuid,
  UNIQUE (conversation_id, ordinal)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX turns_one_running ON turns (conversation_id) WHERE status IN ('running', 'waiting_for_approval');
CREATE INDEX turns_queued ON turns (conversation_id, ordinal) WHERE status = 'queued';
CREATE INDEX turns_running ON turns (id) WHERE status = 'running';
CREATE INDEX turns_waiting ON turns (id) WHERE status = 'waiting_for_approval';
CREATE INDEX ON turns (parent_turn_id) WHERE parent_turn_id IS NOT NULL;
CREATE INDEX ON turns (agent_version_id);
-- Row-level security adds the workspace to each condition. In a database without statistics an index of all turns that
-- begins with the workspace looks as good as the primary key, and each look for one turn read all turns of the workspace.
CREATE INDEX turns_settled ON turns (workspace_id, created_at) WHERE settled_at IS NOT NULL;
CREATE INDEX turns_not_completed ON turns (workspace_id, status, created_at, id)
  WHERE settled_at IS NOT NULL AND status <> 'completed';
-- Lists and figures name the condition of these two, and looks for one turn do not.
CREATE INDEX turns_in_order ON turns (workspace_id, created_at, id) WHERE ordinal > 0;
CREATE INDEX turns_by_agent ON turns (workspace_id, agent_id, created_at, id) WHERE ordinal > 0;
CREATE INDEX turns_open ON turns (workspace_id, created_at, id) WHERE settled_at IS NULL;
CREATE INDEX turns_of_person ON turns (workspace_id, person, created_at, id) WHERE person IS NOT NULL;
-- It begins with the status: a plan that is made without statistics takes the index with the most conditions.
CREATE INDEX turns_with_places ON turns (status, workspace_id, priority, created_at)
  WHERE status IN ('running', 'queued') AND parent_turn_id IS NULL;
CREATE INDEX turns_direct ON turns (id)
  WHERE direct_owner IS NOT NULL AND status IN ('running', 'waiting_for_approval');
${isolateTable('turns')}
${hideFromOthers('turns', isInConversation('turns.conversation_id'))}
`;

/**
 * The normal form of a name is a column, since an index of the expression could not be used: its functions are not
 * leakproof, so that row security would be checked first.
 */
const person = `
CREATE FUNCTION set_person_of_turn() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.person := nullif(lower(normalize(trim(coalesce(NEW.asked_by, NEW.started_by ->> 'actingFor')), NFKC)), '');
  RETURN NEW;
END $$;
CREATE TRIGGER person_of_turn BEFORE INSERT OR UPDATE OF asked_by, started_by ON turns
  FOR EACH ROW WHEN (NEW.asked_by IS NOT NULL OR NEW.started_by ->> 'actingFor' IS NOT NULL)
  EXECUTE FUNCTION set_person_of_turn();
`;

const directWorkers = `
-- The leases of workers that run turns without a workflow. A crash of Postgres empties the table; then each worker renews its
-- lease before any worker takes turns of others.
CREATE UNLOGGED TABLE direct_workers (
  id uuid PRIMARY KEY,
  alive_at timestamptz NOT NULL
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE, DELETE ON direct_workers TO holdfast_system;
`;

const callCounts = `
-- How often the turns below a turn made calls that a policy of its agent limits, by the key of the policy.
CREATE TABLE turn_call_counts (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  turn_id uuid NOT NULL REFERENCES turns ON DELETE CASCADE,
  key text NOT NULL, calls integer NOT NULL,
  PRIMARY KEY (turn_id, key)
);
${isolateTable('turn_call_counts')}
`;

/** Turns, the workers that run some of them, and the limits of calls that hold below them. */
export const turns = [turnTable, person, directWorkers, callCounts].join('');
