import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it ask nobody. An API that does may set approvals only after all workers do. */
export const isCompatible = true;

/**
 * Each row is an action of a person that a turn waits for. `hash` is SHA-256 in hex over the arguments that may run and the tool, in canonical JSON
 * (RFC 8785). A turn that waits keeps the time that it has left.
 */
const pendingActions = `
CREATE TABLE pending_actions (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  kind text NOT NULL CHECK (kind IN ('approval')),
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'approved', 'rejected', 'expired', 'cancelled')),
  conversation_id uuid NOT NULL,
  turn_id uuid NOT NULL REFERENCES turns,
  root_turn_id uuid NOT NULL,
  tool_call_id uuid NOT NULL UNIQUE REFERENCES tool_calls,
  tool text NOT NULL,
  arguments jsonb NOT NULL,
  hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  remind_at timestamptz NOT NULL,
  reminded_at timestamptz,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by jsonb,
  reason text,
  approved_arguments jsonb,
  redeemed_at timestamptz
);
CREATE INDEX pending_actions_open ON pending_actions (workspace_id, id) WHERE status = 'pending';
CREATE INDEX ON pending_actions (workspace_id, id);
CREATE INDEX ON pending_actions (turn_id);
CREATE INDEX ON pending_actions (root_turn_id);

ALTER TABLE turns ADD COLUMN time_left_ms integer;
CREATE INDEX turns_waiting ON turns (id) WHERE status = 'waiting_for_approval';

ALTER TABLE workspaces ADD COLUMN approval text CHECK (approval IN ('never', 'ask', 'always_ask'));
`;

/** Adds the actions that people decide. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(pendingActions);
  await knex.raw(isolateTable('pending_actions'));
}
