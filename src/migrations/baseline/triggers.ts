import { hideFromOthers, isInside, isOfPerson, isolateTable } from '../isolate.ts';

const tables = `
CREATE TABLE triggers (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  name text NOT NULL,
  provider text NOT NULL,
  rule jsonb,
  events text[] NOT NULL, filter text,
  include_bots boolean NOT NULL,
  action jsonb NOT NULL,
  max_per_minute integer NOT NULL,
  paused boolean NOT NULL,
  sealed bytea, key_id text, old_secrets_until timestamptz,
  created_by jsonb NOT NULL, changed_by jsonb,
  -- The normal form of the name of the person to whom it belongs; null for the workspace alone.
  person text,
  -- Set when its makers lost the right to what it does.
  stopped_at timestamptz, stopped_reason text,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz
);
CREATE INDEX ON triggers (workspace_id, id);
CREATE INDEX triggers_deleted ON triggers (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE trigger_deliveries (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  trigger_id uuid NOT NULL REFERENCES triggers,
  delivery_key text NOT NULL,
  -- Null where the signature covers the id of the delivery.
  content_hash bytea,
  event text,
  status text NOT NULL CHECK (status IN ('accepted', 'started', 'ignored', 'failed', 'refused')),
  reason text, error jsonb,
  -- The action that the trigger had when the event came, so that every attempt to start it asks for the same.
  action jsonb,
  payload jsonb,
  conversation_id uuid, turn_id uuid, routine_run_id uuid,
  duplicates integer NOT NULL DEFAULT 0, attempts integer NOT NULL DEFAULT 0,
  retried_by jsonb,
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

/** Triggers, and the events that vendors sent them. */
export const triggers = `
${tables}
${['triggers', 'trigger_deliveries'].map(isolateTable).join('')}
${hideFromOthers('triggers', isOfPerson)}
${hideFromOthers('trigger_deliveries', isInside('triggers', 'trigger_deliveries.trigger_id'))}`;
