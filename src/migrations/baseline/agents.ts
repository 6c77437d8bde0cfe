import { isolateTable } from '../isolate.ts';

const tables = `
CREATE TABLE agents (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  current_version integer NOT NULL DEFAULT 1,
  owner jsonb,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  -- The rows of an agent that was erased are removed in batches afterwards.
  erased_at timestamptz
);
CREATE INDEX ON agents (workspace_id, id);
CREATE INDEX agents_erased ON agents (id) WHERE erased_at IS NOT NULL;

CREATE TABLE agent_versions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL REFERENCES agents,
  version integer NOT NULL,
  name text NOT NULL,
  model text NOT NULL,
  model_connection_id uuid, model_settings jsonb NOT NULL DEFAULT '{}', fallback_models jsonb NOT NULL DEFAULT '[]',
  instructions text NOT NULL,
  available_tools jsonb NOT NULL,
  -- The size of the tools as JSON.
  tool_bytes integer NOT NULL,
  connectors jsonb NOT NULL DEFAULT '[]',
  tool_calls_in_text boolean,
  rules jsonb NOT NULL DEFAULT '{"toolPolicies": {}, "canaryTokens": [], "onBlocked": "continue"}',
  limits jsonb NOT NULL,
  execution text NOT NULL CHECK (execution IN ('inspectable', 'fast', 'direct')),
  compaction text NOT NULL DEFAULT 'oldest_first',
  compaction_threshold integer, summary_model text,
  created_at timestamptz NOT NULL DEFAULT now(),
  skills jsonb NOT NULL DEFAULT '[]',
  -- Null for a version that no actor has made.
  made_by jsonb,
  UNIQUE (agent_id, version)
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
  gateway_id uuid, target text,
  hash text NOT NULL, definition jsonb NOT NULL, pinned_at timestamptz NOT NULL DEFAULT now(),
  drift_hash text, drift_definition jsonb, quarantined_at timestamptz,
  PRIMARY KEY (agent_id, tool_id)
);
CREATE INDEX tool_pins_quarantined ON tool_pins (agent_id, tool_id) WHERE quarantined_at IS NOT NULL;

CREATE TABLE tool_call_counts (
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  agent_id uuid NOT NULL,
  tool text NOT NULL, day date NOT NULL, calls integer NOT NULL,
  PRIMARY KEY (agent_id, tool, day)
);
CREATE INDEX ON tool_call_counts (workspace_id, day);
`;

const isolated = ['agents', 'agent_versions', 'agent_connectors', 'tool_pins', 'tool_call_counts'];

/** Agents with their versions, connectors, pinned tools and counts of calls. */
export const agents = tables + isolated.map(isolateTable).join('');
