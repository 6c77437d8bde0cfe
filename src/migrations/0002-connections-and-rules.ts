import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

const connections = `
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  name text NOT NULL,
  provider text NOT NULL,
  endpoint text,
  -- The kind of auth and what of it is no secret, secrets masked.
  auth jsonb NOT NULL,
  -- What is secret, sealed under a key of the ring; null when there is nothing to keep.
  sealed bytea,
  key_id text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'expired', 'revoked', 'error')),
  status_reason text,
  rate_limit jsonb,
  owner_id uuid,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, name)
);
CREATE INDEX ON connections (workspace_id, id);
CREATE INDEX ON connections (key_id) WHERE sealed IS NOT NULL;

-- Authorizations under way: the state that a browser brings back is stored as its hash only.
CREATE TABLE authorization_requests (
  state_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  sealed bytea NOT NULL,
  key_id text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE TABLE connectors (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('mcp')),
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, name)
);

-- One connector for each tool of a workspace: which one a call goes to is never a matter of chance.
CREATE TABLE connector_tools (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  tool text NOT NULL,
  connector_id uuid NOT NULL REFERENCES connectors ON DELETE CASCADE,
  position integer NOT NULL,
  PRIMARY KEY (workspace_id, tool)
);

CREATE TABLE agent_connectors (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL REFERENCES agents,
  connector_id uuid NOT NULL REFERENCES connectors ON DELETE CASCADE,
  PRIMARY KEY (agent_id, connector_id)
);

CREATE TABLE tool_pins (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL REFERENCES agents,
  tool_id uuid NOT NULL,
  -- For a tool behind a gateway: which gateway, and which server:tool.
  gateway_id uuid,
  target text,
  hash text NOT NULL,
  definition jsonb NOT NULL,
  pinned_at timestamptz NOT NULL DEFAULT now(),
  drift_hash text,
  drift_definition jsonb,
  quarantined_at timestamptz,
  PRIMARY KEY (agent_id, tool_id)
);

CREATE TABLE tool_call_counts (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL,
  tool text NOT NULL,
  day date NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (agent_id, tool, day)
);

CREATE TABLE blobs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  turn_id uuid,
  name text,
  media_type text NOT NULL,
  bytes bytea NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON blobs (workspace_id, id);
`;

/** The rows of `rate-limiter-flexible`: a key, the points used of it, and their expiry (epoch milliseconds). */
const rateLimits = `
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO holdfast_system;
`;

const columns = `
ALTER TABLE agent_versions
  ADD COLUMN model_connection_id uuid,
  ADD COLUMN rules jsonb NOT NULL DEFAULT '{"toolPolicies": {}, "canaryTokens": [], "onBlocked": "continue"}',
  ADD COLUMN tool_calls_in_text boolean,
  ADD COLUMN connectors jsonb NOT NULL DEFAULT '[]';

ALTER TABLE turns
  ADD COLUMN parent_turn_id uuid,
  ADD COLUMN parent_tool_call_id uuid,
  -- The agents of the turns above, outermost first.
  ADD COLUMN lineage uuid[] NOT NULL DEFAULT '{}',
  -- What is left of the limits of the turn above.
  ADD COLUMN max_iterations integer,
  ADD COLUMN max_tokens bigint;
CREATE INDEX ON turns (parent_turn_id) WHERE parent_turn_id IS NOT NULL;

ALTER TABLE tool_calls
  ADD COLUMN result_content jsonb,
  ADD COLUMN connector text,
  ADD COLUMN target text,
  ADD COLUMN counted boolean NOT NULL DEFAULT false,
  ADD COLUMN child_turn_id uuid,
  ADD COLUMN child_workflow_id text,
  -- The run of the turn's workflow that was about to start that one.
  ADD COLUMN child_begun_by text;
CREATE INDEX ON tool_calls (workspace_id, ended_at) WHERE ended_at IS NOT NULL;
`;

/**
 * The chain's head is written by a function of its owner, so that no role of the program can move it:
 * a cut-off end of the chain shows.
 */
const guardAuditHeads = `
ALTER FUNCTION chain_audit_event() SECURITY DEFINER SET search_path = public, pg_temp;
REVOKE INSERT, UPDATE, DELETE ON audit_heads FROM holdfast_app, holdfast_system;
CREATE POLICY owner_writes ON audit_heads TO CURRENT_USER USING (true) WITH CHECK (true);
CREATE INDEX ON audit_events (workspace_id, type, seq);
`;

const isolated = [
  'connections',
  'authorization_requests',
  'connectors',
  'connector_tools',
  'agent_connectors',
  'tool_pins',
  'tool_call_counts',
  'blobs',
];

/** Connections, connectors, pinned tools, rules of agents, child turns and files. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(connections);
  await knex.raw(rateLimits);
  await knex.raw(columns);
  await knex.raw(guardAuditHeads);
  await knex.raw(isolated.map(isolateTable).join('\n'));
}
