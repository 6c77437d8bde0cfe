import type { Knex } from 'knex';

const tables = `
CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX ON api_keys (workspace_id, id);

CREATE TABLE agents (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  current_version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX ON agents (workspace_id, id);

CREATE TABLE agent_versions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL REFERENCES agents,
  version integer NOT NULL,
  name text NOT NULL,
  model text NOT NULL,
  instructions text NOT NULL,
  available_tools jsonb NOT NULL,
  limits jsonb NOT NULL,
  execution text NOT NULL CHECK (execution IN ('inspectable', 'fast')),
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (agent_id, version)
);

CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  agent_id uuid NOT NULL REFERENCES agents,
  title text,
  last_event_seq bigint NOT NULL DEFAULT 0,
  last_turn_ordinal integer NOT NULL DEFAULT 0,
  -- What the messages and tool results hold in all, so that a window of the newest turns is found without adding up.
  characters bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
CREATE INDEX ON conversations (workspace_id, id);

CREATE TABLE turns (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL REFERENCES conversations,
  agent_id uuid NOT NULL,
  agent_version_id uuid NOT NULL REFERENCES agent_versions,
  ordinal integer NOT NULL,
  characters_before bigint NOT NULL DEFAULT 0,
  request_hash text NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'waiting_for_approval',
    'completed', 'failed', 'cancelled', 'timed_out', 'iteration_limit')),
  answer text,
  error jsonb,
  iterations integer NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  cache_read_tokens bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  reasoning_tokens bigint NOT NULL DEFAULT 0,
  timeout_ms integer NOT NULL,
  cancel_requested_at timestamptz,
  restarts integer NOT NULL DEFAULT 0,
  start_seen boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  deadline_at timestamptz,
  settled_at timestamptz,
  UNIQUE (conversation_id, ordinal)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX turns_one_running ON turns (conversation_id)
  WHERE status IN ('running', 'waiting_for_approval');
CREATE INDEX turns_unsettled ON turns (started_at) WHERE status = 'running';
CREATE INDEX turns_queued ON turns (conversation_id, ordinal) WHERE status = 'queued';

CREATE TABLE messages (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL REFERENCES conversations,
  turn_id uuid NOT NULL REFERENCES turns,
  turn_ordinal integer NOT NULL,
  iteration integer NOT NULL,
  role text NOT NULL CHECK (role IN ('user', 'assistant')),
  text text NOT NULL,
  finish_reason text,
  provider_content jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (conversation_id, turn_ordinal, iteration)
);

CREATE TABLE usage (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  turn_id uuid NOT NULL,
  iteration integer NOT NULL,
  model text NOT NULL,
  answered_by text NOT NULL,
  input_tokens bigint NOT NULL,
  cache_read_tokens bigint NOT NULL,
  cache_write_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (turn_id, iteration)
);

CREATE TABLE tool_calls (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  turn_id uuid NOT NULL REFERENCES turns,
  turn_ordinal integer NOT NULL,
  iteration integer NOT NULL,
  index integer NOT NULL,
  key text NOT NULL UNIQUE,
  model_call_id text NOT NULL,
  name text NOT NULL,
  tool jsonb,
  effect text NOT NULL,
  arguments jsonb,
  invalid_arguments text,
  arguments_hash text NOT NULL,
  status text NOT NULL CHECK (status IN ('requested', 'started', 'succeeded', 'failed', 'unknown', 'blocked')),
  attempts integer NOT NULL DEFAULT 0,
  result text,
  result_bytes integer,
  result_truncated boolean NOT NULL DEFAULT false,
  error jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  UNIQUE (conversation_id, turn_ordinal, iteration, index)
) WITH (fillfactor = 70);
CREATE INDEX ON tool_calls (turn_id, iteration, index);

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

-- The sequence is logged on purpose: after a crash the chunks are gone, but their numbers go on.
CREATE SEQUENCE stream_chunk_ids;
CREATE UNLOGGED TABLE stream_chunks (
  id bigint PRIMARY KEY DEFAULT nextval('stream_chunk_ids'),
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  conversation_id uuid NOT NULL,
  turn_id uuid NOT NULL,
  iteration integer NOT NULL,
  attempt integer NOT NULL,
  text text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON stream_chunks (conversation_id, id);
CREATE INDEX ON stream_chunks (created_at);

CREATE TABLE audit_heads (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces,
  seq bigint NOT NULL,
  hash bytea NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE audit_events (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  seq bigint NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_id uuid,
  payload jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, seq)
);
`;

const currentWorkspace = `
CREATE FUNCTION current_workspace() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('holdfast.workspace_id', true), '')::uuid $$;
`;

/** Numbers events and stores them; the lock on the conversation's row makes commit order the order of `seq`. */
const appendEvents = `
CREATE FUNCTION append_events(target uuid, of_turn uuid, new_events jsonb, more_characters integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE last_seq bigint;
BEGIN
  UPDATE conversations SET last_event_seq = last_event_seq + jsonb_array_length(new_events),
    characters = characters + more_characters
    WHERE id = target RETURNING last_event_seq INTO STRICT last_seq;
  INSERT INTO events (conversation_id, seq, turn_id, type, payload)
    SELECT target, last_seq - jsonb_array_length(new_events) + item.position, of_turn,
      item.event ->> 'type', item.event -> 'payload'
    FROM jsonb_array_elements(new_events) WITH ORDINALITY AS item (event, position);
  RETURN last_seq;
END $$;
`;

/** Links each audit event to the one before it in its workspace by SHA-256. */
const chainAuditEvent = `
CREATE FUNCTION chain_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE head audit_heads;
BEGIN
  INSERT INTO audit_heads AS heads VALUES (NEW.workspace_id, 1, '\\x00')
    ON CONFLICT (workspace_id) DO UPDATE SET seq = heads.seq + 1 RETURNING * INTO head;
  NEW.seq := head.seq;
  NEW.previous_hash := head.hash;
  NEW.hash := sha256(head.hash || convert_to(jsonb_build_array(NEW.workspace_id, NEW.seq, NEW.id, NEW.type,
    NEW.subject_id, NEW.payload, extract(epoch FROM NEW.created_at))::text, 'UTF8'));
  UPDATE audit_heads SET hash = NEW.hash WHERE workspace_id = NEW.workspace_id;
  RETURN NEW;
END $$;
CREATE TRIGGER chain_audit_event BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION chain_audit_event();
`;

/** Tables whose rows belong to a workspace, seen by `holdfast_app` only inside that workspace. */
const workspaceTables = [
  'api_keys',
  'agents',
  'agent_versions',
  'conversations',
  'turns',
  'messages',
  'usage',
  'tool_calls',
  'events',
  'stream_chunks',
  'audit_heads',
  'audit_events',
];

const roles = `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'holdfast_app') THEN CREATE ROLE holdfast_app NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'holdfast_system') THEN CREATE ROLE holdfast_system NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
-- A role that has them already may lack the right to grant them.
DO $$ DECLARE membership text := CASE WHEN current_setting('server_version_num')::integer < 160000
  THEN 'MEMBER' ELSE 'SET' END;
BEGIN
  IF NOT (pg_has_role('holdfast_app', membership) AND pg_has_role('holdfast_system', membership)) THEN
    GRANT holdfast_app, holdfast_system TO CURRENT_USER;
  END IF;
END $$;
GRANT USAGE ON SCHEMA public TO holdfast_app, holdfast_system;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO holdfast_app, holdfast_system;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO holdfast_app, holdfast_system;
REVOKE INSERT, UPDATE, DELETE ON workspaces FROM holdfast_app;
REVOKE ALL ON knex_migrations, knex_migrations_lock FROM holdfast_app, holdfast_system;
REVOKE UPDATE, DELETE ON audit_events FROM holdfast_app, holdfast_system;
`;

function isolate(table: string, column = 'workspace_id'): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY own_workspace ON ${table} TO holdfast_app
      USING (${column} = (SELECT current_workspace())) WITH CHECK (${column} = (SELECT current_workspace()));
    CREATE POLICY every_workspace ON ${table} TO holdfast_system USING (true) WITH CHECK (true);`;
}

/** The first schema: agents, conversations, turns, the ledger, the event log and audit. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(currentWorkspace);
  await knex.raw(tables);
  await knex.raw(appendEvents);
  await knex.raw(chainAuditEvent);
  await knex.raw(roles);
  await knex.raw(workspaceTables.map((table) => isolate(table)).join('\n'));
  await knex.raw(isolate('workspaces', 'id'));
}
