import { hideFromOthers, isInConversation, isInside, isolateTable } from '../isolate.ts';

const actionTable = `
-- Each row is an action of a person that a turn waits for. A call may wait for several, one after the other: an approval,
-- and what it asks then.
CREATE TABLE pending_actions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL CHECK (kind IN ('approval', 'question', 'client_tool')),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'approved', 'rejected', 'answered', 'expired', 'cancelled')),
  conversation_id uuid NOT NULL,
  turn_id uuid NOT NULL REFERENCES turns,
  root_turn_id uuid NOT NULL,
  tool_call_id uuid NOT NULL REFERENCES tool_calls,
  -- Numbers the actions of one kind.
  position integer NOT NULL DEFAULT 0,
  asked_by jsonb,
  tool text NOT NULL, target text,
  arguments jsonb NOT NULL,
  -- SHA-256 in hex over the arguments that may run and the tool, in canonical JSON (RFC 8785).
  hash text NOT NULL,

  -- Of an approval. SHA-256 in hex over the tool; an array of arrays of groups, of which the one who decides has to be in one
  -- group of each; the sentences that say why the call asks; the names of the connections whose credentials it carries.
  tool_hash text,
  can_remember boolean NOT NULL DEFAULT false,
  approvers jsonb NOT NULL DEFAULT '[]',
  self_approval boolean NOT NULL DEFAULT true,
  asked_because jsonb NOT NULL DEFAULT '[]',
  connections jsonb NOT NULL DEFAULT '[]',

  -- Of a question. source says which MCP server asks, and what it needs to continue.
  question text, schema jsonb, options jsonb, source jsonb,

  decided_by jsonb, reason text, approved_arguments jsonb,
  answer jsonb, is_error boolean,
  created_at timestamptz NOT NULL DEFAULT now(),
  remind_at timestamptz NOT NULL, reminded_at timestamptz,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz, redeemed_at timestamptz,
  UNIQUE (tool_call_id, kind, position)
);
CREATE INDEX pending_actions_open ON pending_actions (workspace_id, id) WHERE status = 'pending';
CREATE INDEX pending_actions_rememberable ON pending_actions (tool_hash, id)
  WHERE status = 'pending' AND can_remember;
CREATE INDEX ON pending_actions (workspace_id, id);
CREATE INDEX ON pending_actions (turn_id);
CREATE INDEX ON pending_actions (root_turn_id);
CREATE INDEX ON pending_actions (conversation_id, id);
`;

const grantTable = `
-- Each row is an approval that holds for later calls too.
CREATE TABLE approval_grants (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  scope text NOT NULL CHECK (scope IN ('conversation', 'agent', 'workspace')),
  -- The conversation or the agent of the scope, or the workspace.
  scope_id uuid NOT NULL,
  tool text NOT NULL, target text,
  -- SHA-256 in hex over the tool as it was approved.
  tool_hash text NOT NULL,
  -- The value that each argument path must have.
  pins jsonb NOT NULL,
  until timestamptz NOT NULL,
  action_id uuid NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by jsonb NOT NULL,
  groups text[] NOT NULL DEFAULT '{}',
  revoked_at timestamptz, revoked_by jsonb
);
CREATE INDEX ON approval_grants (workspace_id, id);
CREATE INDEX ON approval_grants (scope_id, tool_hash);
`;

const decides = '(SELECT current_decides())';
const actionIsSeen = isInConversation('pending_actions.conversation_id');
const grantIsSeen = isInside('conversations', 'approval_grants.scope_id');

/** The actions for which turns wait, and the approvals that are remembered. */
export const actions = `
${actionTable}
${grantTable}
${['pending_actions', 'approval_grants'].map(isolateTable).join('')}
${hideFromOthers('pending_actions', `kind = 'approval' AND ${decides} OR ${actionIsSeen}`)}
${hideFromOthers('approval_grants', `${decides} OR scope = 'conversation' AND ${grantIsSeen}`)}`;
