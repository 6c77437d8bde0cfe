import { hideFromOthers, isolateTable } from '../isolate.ts';

const tables = `
-- A webhook has either a URL or a channel of Slack.
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  url text,
  slack jsonb,
  events text[] NOT NULL,
  -- Which people of Slack are which people who approve, and the time since which messages of the channel decide.
  approvers jsonb NOT NULL DEFAULT '[]',
  decides_since timestamptz,
  sealed bytea, key_id text, old_secrets_until timestamptz,
  created_by jsonb, changed_by jsonb,
  disabled_at timestamptz, disabled_reason text,
  created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  CHECK ((url IS NULL) <> (slack IS NULL))
);
CREATE INDEX webhooks_told ON webhooks (workspace_id) WHERE disabled_at IS NULL;
CREATE INDEX ON webhooks (workspace_id, id);
CREATE INDEX webhooks_deleted ON webhooks (id) WHERE deleted_at IS NOT NULL;

-- A delivery is one message to one webhook; its id is the webhook-id of all attempts. It has no reference to webhooks:
-- the transaction of a turn that stores a delivery must neither wait for the webhook's row nor fail because of it.
CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY DEFAULT new_timed_id(),
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  webhook_id uuid NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  -- A column of its own: under row-level security no index serves a condition on data ->> 'actionId', since the operator is
  -- not leakproof.
  asked_action text GENERATED ALWAYS AS (CASE WHEN type = 'turn.action_required' THEN data ->> 'actionId' END) STORED,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  by_hand boolean NOT NULL DEFAULT false,
  attempt_count integer NOT NULL DEFAULT 0, attempts jsonb NOT NULL DEFAULT '[]',
  -- What a later delivery needs: the message in the channel that is to be changed when an action was decided.
  result jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz, swept_at timestamptz
);
CREATE INDEX ON webhook_deliveries (webhook_id, id);
CREATE INDEX ON webhook_deliveries (webhook_id, status, id);
CREATE INDEX ON webhook_deliveries (workspace_id, created_at);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_asked ON webhook_deliveries (webhook_id, asked_action) WHERE asked_action IS NOT NULL;
`;

/**
 * A person sees the messages to webhooks about what that person sees. A function is planned only when a transaction names a
 * person: the statements of turns insert messages, and never name one.
 */
const people = `
CREATE FUNCTION sees_delivery(type text, data jsonb) RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE
    WHEN type = 'inbox.message' THEN lower(normalize(trim(data ->> 'person'), NFKC)) = current_person()
    WHEN data ->> 'actionId' IS NOT NULL THEN EXISTS (SELECT FROM pending_actions a WHERE a.id = (data ->> 'actionId')::uuid)
    WHEN data ->> 'conversationId' IS NOT NULL THEN sees_conversation((data ->> 'conversationId')::uuid)
    ELSE true END;
END $$;
${hideFromOthers('webhook_deliveries', 'sees_delivery(type, data)')}
`;

/** Webhooks, and the outbox of what is delivered to them. */
export const webhooks = [tables, ...['webhooks', 'webhook_deliveries'].map(isolateTable), people].join('');
