import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it have no triggers. */
export const isCompatible = true;

/**
 * A delivery has the action that its trigger had when it came, so that every attempt to start it asks for the same.
 * `content_hash` is null where the signature covers the id of the delivery.
 */
const triggers = `
CREATE TABLE triggers (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  provider text NOT NULL,
  rule jsonb,
  events text[] NOT NULL,
  filter text,
  include_bots boolean NOT NULL,
  action jsonb NOT NULL,
  max_per_minute int NOT NULL,
  paused boolean NOT NULL,
  sealed bytea,
  key_id text,
  old_secrets_until timestamptz,
  created_by jsonb NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON triggers (workspace_id, id);
CREATE INDEX triggers_deleted ON triggers (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE trigger_deliveries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  trigger_id uuid NOT NULL REFERENCES triggers,
  delivery_key text NOT NULL,
  content_hash bytea,
  event text,
  status text NOT NULL CHECK (status IN ('accepted', 'started', 'ignored', 'failed', 'refused')),
  reason text,
  error jsonb,
  action jsonb,
  payload jsonb,
  conversation_id uuid,
  turn_id uuid,
  routine_run_id uuid,
  duplicates int NOT NULL DEFAULT 0,
  attempts int NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  received_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE UNIQUE INDEX trigger_deliveries_key ON trigger_deliveries (trigger_id, delivery_key);
CREATE UNIQUE INDEX trigger_deliveries_content ON trigger_deliveries (trigger_id, content_hash);
CREATE INDEX ON trigger_deliveries (trigger_id, id);
CREATE INDEX ON trigger_deliveries (trigger_id, status, id);
CREATE INDEX ON trigger_deliveries (workspace_id, received_at);
CREATE INDEX trigger_deliveries_due ON trigger_deliveries (next_attempt_at) WHERE status = 'accepted';
CREATE INDEX trigger_deliveries_payload ON trigger_deliveries (received_at) WHERE payload IS NOT NULL;
CREATE INDEX trigger_deliveries_age ON trigger_deliveries (received_at);
`;

/** Adds triggers, and the deliveries that they got. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(triggers);
  for (const table of ['triggers', 'trigger_deliveries']) await knex.raw(isolateTable(table));
}
