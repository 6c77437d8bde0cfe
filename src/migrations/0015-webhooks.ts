import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it tell no webhook of what they write. */
export const isCompatible = true;

/** As `newId` of the programs: ids that one statement makes for many rows sort by time too. */
const timedId = `
CREATE FUNCTION new_timed_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
    substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1),
    'hex')::uuid
$$;
`;

/**
 * A delivery is one message to one webhook; its id is the `webhook-id` of all attempts. It has no reference to
 * `webhooks`: the transaction of a turn that tells a webhook must neither wait for its row nor fail because of it.
 */
const webhooks = `
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  url text NOT NULL,
  events text[] NOT NULL,
  sealed bytea,
  key_id text,
  old_secrets_until timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhooks_told ON webhooks (workspace_id) WHERE disabled_at IS NULL;
CREATE INDEX ON webhooks (workspace_id, id);
CREATE INDEX webhooks_deleted ON webhooks (id) WHERE deleted_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT new_timed_id(),
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  webhook_id uuid NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  by_hand boolean NOT NULL DEFAULT false,
  attempt_count integer NOT NULL DEFAULT 0,
  attempts jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  swept_at timestamptz
);
CREATE INDEX ON webhook_deliveries (webhook_id, id);
CREATE INDEX ON webhook_deliveries (webhook_id, status, id);
CREATE INDEX ON webhook_deliveries (workspace_id, created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
`;

/** Adds webhooks and the outbox of what they are told. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(timedId);
  await knex.raw(webhooks);
  await knex.raw(isolateTable('webhooks'));
  await knex.raw(isolateTable('webhook_deliveries'));
}
