import { addPolicies, isolateTable } from '../isolate.ts';

const tables = `
-- A setting that is null is the one of the installation.
CREATE TABLE workspaces (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  retention_days integer CHECK (retention_days > 0),
  approval text CHECK (approval IN ('never', 'ask', 'always_ask')),
  -- The time that a turn waits for a worker.
  start_timeout_ms integer CHECK (start_timeout_ms > 0),
  max_running_turns integer CHECK (max_running_turns > 0),
  -- The share of the workers that the workspace gets beside others; null is 1.
  turn_weight real CHECK (turn_weight > 0),
  -- The most steps and hours that a run of a routine may take, and credits that it may cost with the runs that it starts.
  routine_steps integer CHECK (routine_steps > 0),
  routine_hours integer CHECK (routine_hours > 0),
  routine_credits bigint CHECK (routine_credits > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The rows of a workspace that was deleted are removed in batches afterwards.
  deleted_at timestamptz
);
CREATE INDEX workspaces_deleted ON workspaces (id) WHERE deleted_at IS NOT NULL;

-- Credentials of people are rows of this table too, so that whatever a key made, started or decided is found and checked
-- again in one way. A user token has the key that issued it, and perhaps the only conversations that it sees. A person is
-- known to an identity provider by its issuer and subject, and has no secret.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  kind text NOT NULL DEFAULT 'key' CHECK (kind IN ('key', 'user_token', 'person')),
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text[] NOT NULL,
  roles text[] NOT NULL DEFAULT '{}', groups text[] NOT NULL DEFAULT '{}',
  acts_for text,
  issued_by uuid,
  conversations uuid[],
  issuer text, subject text,
  made_by jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz, last_used_at timestamptz,
  revoked_at timestamptz, revoked_by jsonb,
  -- When the token was issued that said the roles of a person, so that an older one does not bring them back.
  roles_at timestamptz
);
CREATE INDEX ON api_keys (workspace_id, id);
CREATE INDEX ON api_keys (issued_by) WHERE issued_by IS NOT NULL;
CREATE INDEX ON api_keys (workspace_id, expires_at) WHERE kind = 'user_token';
CREATE UNIQUE INDEX ON api_keys (workspace_id, issuer, subject) WHERE kind = 'person';

-- A browser that was let in by a credential. It may do what its credential may do at the time, and ends with it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  credential_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  secret_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), expires_at timestamptz NOT NULL, ended_at timestamptz
);
CREATE INDEX ON sessions (credential_id);
CREATE INDEX ON sessions (workspace_id, expires_at);

-- Workflows whose tasks fail again and again; a row is there only while the workflow is stuck.
CREATE TABLE stuck_workflows (
  workflow_id text PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL,
  -- The id of the turn, run, swarm and so on of the workflow.
  subject_id uuid,
  cause text NOT NULL,
  since timestamptz NOT NULL
);
CREATE INDEX ON stuck_workflows (subject_id);
CREATE INDEX ON stuck_workflows (workspace_id);
`;

/** Workspaces, their credentials and sessions, and which of their workflows are stuck. */
export const workspaces = `
${tables}
${addPolicies('workspaces', 'id')}
GRANT SELECT ON workspaces TO holdfast_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON workspaces TO holdfast_system;
${['api_keys', 'sessions', 'stuck_workflows'].map(isolateTable).join('')}`;
