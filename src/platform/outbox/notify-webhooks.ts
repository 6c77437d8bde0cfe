import type { Knex } from 'knex';
import type { WebhookEvent } from '../../domain/webhook.ts';

/** A message of a statement to the webhooks of its workspace. All fields but `type` are SQL. */
interface WebhookMessage {
  type: WebhookEvent;
  /** The part of the statement whose rows are reported to the webhooks, one message each. */
  from: string;
  /** @default every row */
  where?: string;
  /** The pairs of `jsonb_build_object`: ids, statuses and outcomes, and never a text or arguments. */
  data: string;
}

/**
 * Returns a part of a `WITH`, named `told`, that inserts a delivery for each webhook subscribed to this event, in the
 * statement that makes the event true. Without a subscribed webhook it costs one look into an index of few rows.
 */
function notifyWebhooks({ type, from, where = 'true', data }: WebhookMessage): string {
  return `told AS (
  INSERT INTO webhook_deliveries (webhook_id, type, data)
  SELECT w.id, '${type}', jsonb_build_object(${data}) FROM ${from}, webhooks w
  WHERE ${where} AND w.disabled_at IS NULL AND '${type}' = ANY (w.events)
  RETURNING id
)`;
}

/**
 * Notifies webhooks of the end of the turns in the part `turn` of a statement, or in the part `name`. Turns that tool calls
 * have started, and turns that get recorded results, are not reported.
 */
export function notifyOfEnd({ name = 'turn', where = 'true' } = {}): string {
  return notifyWebhooks({
    type: 'turn.settled',
    from: name,
    where: `${where} AND ${name}.parent_turn_id IS NULL AND ${name}.recorded_from IS NULL`,
    data: `'turnId', ${name}.id, 'conversationId', ${name}.conversation_id, 'agentId', ${name}.agent_id,
    'outcome', ${name}.status`,
  });
}

/** Notifies webhooks of the actions in the part of a statement with this name. */
export function notifyOfActions(type: WebhookEvent, name: string): string {
  const ids = `'actionId', ${name}.id, 'kind', ${name}.kind, 'status', ${name}.status, 'turnId', ${name}.turn_id,
    'rootTurnId', ${name}.root_turn_id, 'conversationId', ${name}.conversation_id, 'toolCallId', ${name}.tool_call_id`;
  // A channel of Slack has buttons for approvals alone.
  const where = `(w.slack IS NULL OR ${name}.kind = 'approval')`;
  return notifyWebhooks({ type, from: name, where, data: ids });
}

/** A column: the ids of the deliveries of {@link notifyOfEnd} or {@link notifyOfActions}, for `deliverAfterCommits`. */
export const insertedDeliveries = `ARRAY(SELECT id::text FROM told) AS told`;

/** The deliveries that were inserted in open transactions of knex. */
const insertedInside = new WeakMap<Knex, string[]>();

/** Notifies the webhooks of a workspace inside a transaction of knex. */
export async function notifyWebhooksInside(
  trx: Knex,
  type: WebhookEvent,
  data: Record<string, string>,
): Promise<void> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `INSERT INTO webhook_deliveries (webhook_id, type, data)
     SELECT id, :type, :data::jsonb FROM webhooks WHERE disabled_at IS NULL AND :type = ANY (events) RETURNING id`,
    { type, data: JSON.stringify(data) },
  );
  insertedInside.set(trx, [...findInsertedInside(trx), ...rows.map(({ id }) => id)]);
}

/** The ids of the deliveries that {@link notifyWebhooksInside} has inserted in a transaction. */
export function findInsertedInside(trx: Knex): string[] {
  return insertedInside.get(trx) ?? [];
}
