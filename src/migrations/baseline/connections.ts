import { isolateTable } from '../isolate.ts';

const tables = `
CREATE TABLE connections (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  name text NOT NULL,
  provider text NOT NULL, endpoint text,
  -- The variables of the provider's address.
  variables jsonb,
  -- The kind of auth and what of it is no secret, secrets masked.
  auth jsonb NOT NULL,
  -- What is secret, sealed under a key of the ring; null when there is nothing to keep.
  sealed bytea, key_id text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'expired', 'revoked', 'error')),
  status_reason text, rate_limit jsonb, owner_id uuid,
  -- The process that refreshes the tokens now, and until when no other one may.
  refresh_holder uuid, refresh_until timestamptz,
  expires_at timestamptz, last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, name)
);
CREATE INDEX ON connections (workspace_id, id);
CREATE INDEX ON connections (key_id) WHERE sealed IS NOT NULL;

-- Authorizations under way: the state that a browser brings back is stored as its hash only.
CREATE TABLE authorization_requests (
  state_hash bytea PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  connection_id uuid NOT NULL REFERENCES connections ON DELETE CASCADE,
  sealed bytea NOT NULL, key_id text NOT NULL,
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

-- Two servers may have tools of the same name: the name is settled when an agent gets the tool.
CREATE TABLE connector_tools (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  connector_id uuid NOT NULL REFERENCES connectors ON DELETE CASCADE,
  tool text NOT NULL,
  position integer NOT NULL,
  PRIMARY KEY (connector_id, tool)
);
CREATE INDEX ON connector_tools (workspace_id, tool);
CREATE INDEX ON connector_tools (connector_id, position);

-- Providers that a workspace imported from documents of APIs.
CREATE TABLE imported_providers (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL, version integer NOT NULL,
  -- What lists show.
  title text NOT NULL, description text NOT NULL, category text NOT NULL,
  auth_types text[] NOT NULL, operation_names text[] NOT NULL,
  -- JSON as text: it is only read as a whole, and documents may have characters that jsonb refuses.
  definition text NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX imported_providers_name ON imported_providers (workspace_id, name);
`;

const isolated = [
  'connections',
  'authorization_requests',
  'connectors',
  'connector_tools',
  'imported_providers',
];

/** Connections, their authorizations, the connectors that use them, and imported providers. */
export const connections = tables + isolated.map(isolateTable).join('');
