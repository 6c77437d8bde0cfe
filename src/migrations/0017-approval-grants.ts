import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it ask again where an approval is remembered, and decide without looking at groups. */
export const isCompatible = true;

/**
 * Each row is an approval that holds for later calls too. `scope_id` is the conversation or the agent of its scope, or
 * the workspace; `tool_hash` is SHA-256 in hex over the tool as it was approved, and `pins` has the value that each
 * argument path must have.
 */
const approvalGrants = `
CREATE TABLE approval_grants (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  scope text NOT NULL CHECK (scope IN ('conversation', 'agent', 'workspace')),
  scope_id uuid NOT NULL,
  tool text NOT NULL,
  target text,
  tool_hash text NOT NULL,
  pins jsonb NOT NULL,
  until timestamptz NOT NULL,
  action_id uuid NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by jsonb NOT NULL,
  groups text[] NOT NULL DEFAULT '{}',
  revoked_at timestamptz,
  revoked_by jsonb
);
CREATE INDEX ON approval_grants (workspace_id, id);
CREATE INDEX ON approval_grants (scope_id, tool_hash);
`;

/** `approvers` is an array of arrays of groups: who decides has to be in one group of each. */
const columns = `
ALTER TABLE pending_actions
  ADD COLUMN target text,
  ADD COLUMN tool_hash text,
  ADD COLUMN can_remember boolean NOT NULL DEFAULT false,
  ADD COLUMN approvers jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN self_approval boolean NOT NULL DEFAULT true,
  ADD COLUMN asked_by jsonb;
CREATE INDEX pending_actions_rememberable ON pending_actions (tool_hash, id)
  WHERE status = 'pending' AND can_remember;

ALTER TABLE turns ADD COLUMN started_by jsonb;

ALTER TABLE api_keys
  ADD COLUMN groups text[] NOT NULL DEFAULT '{}',
  ADD COLUMN acts_for text;
`;

/** Adds remembered approvals, and who may decide. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(approvalGrants);
  await knex.raw(columns);
  await knex.raw(isolateTable('approval_grants'));
}
