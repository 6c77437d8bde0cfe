import type { ActorRef } from '../../../domain/actor.ts';
import type { DeliveryStatus, SlackApprover } from '../../../domain/webhook.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** A channel of Slack in which somebody pressed a button, and the message to it about the action. */
export interface PressedChannel {
  approvers: SlackApprover[];
  createdBy: ActorRef | null;
  changedBy: ActorRef | null;
  /** Null when the channel did not ask about the action, or was changed since it did. */
  status: DeliveryStatus | null;
  /** Whether the message is posted. */
  isPosted: boolean;
}

/** Finds an enabled channel, and keeps it from changing until the transaction ends. Lock actions afterwards. */
export async function findPressedChannel(
  query: Query,
  press: { webhookId: string; actionId: string },
): Promise<PressedChannel | null> {
  const [channel] = await query(findPressed, press);
  return channel ?? null;
}

const findPressed = defineStatement<{ webhookId: string; actionId: string }, PressedChannel>(
  'find_pressed_channel',
  `SELECT w.approvers, w.created_by AS "createdBy", w.changed_by AS "changedBy", d.status,
     coalesce(d.status = 'delivered' AND d.result ->> 'ts' IS NOT NULL, false) AS "isPosted"
   FROM webhooks w LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.asked_action = :actionId
     AND d.created_at >= w.decides_since
   WHERE w.id = :webhookId AND w.slack IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
   LIMIT 1 FOR SHARE OF w`,
);
