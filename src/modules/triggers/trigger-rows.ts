import type { ActorRef } from '../../domain/actor.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Trigger, TriggerAction, TriggerDelivery } from './trigger.ts';
import { toStoredWorkFields, type StoredWorkRow } from '../../platform/work/stored-work.ts';

/** A row of `triggers`. */
export interface TriggerRow extends StoredWorkRow {
  id: string;
  workspace_id: string;
  name: string;
  provider: string;
  rule: Trigger['rule'];
  events: string[];
  filter: string | null;
  include_bots: boolean;
  action: TriggerAction;
  max_per_minute: number;
  paused: boolean;
  sealed: Buffer | null;
  key_id: string | null;
  old_secrets_until: Date | null;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A row of `trigger_deliveries`. */
export interface TriggerDeliveryRow {
  id: string;
  workspace_id: string;
  trigger_id: string;
  delivery_key: string;
  content_hash: Buffer | null;
  event: string | null;
  status: TriggerDelivery['status'];
  reason: string | null;
  error: TriggerDelivery['error'];
  action: TriggerAction | null;
  payload: JsonValue;
  conversation_id: string | null;
  turn_id: string | null;
  routine_run_id: string | null;
  duplicates: number;
  attempts: number;
  retried_by: ActorRef | null;
  next_attempt_at: Date;
  received_at: Date;
  ended_at: Date | null;
}

/** A trigger without its URL, which depends on where Holdfast is reached. */
export type StoredTrigger = Omit<Trigger, 'url'>;

/** Maps a row to a trigger. */
export function toTrigger(row: TriggerRow): StoredTrigger {
  const until = row.old_secrets_until;
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    rule: row.rule,
    events: row.events,
    filter: row.filter,
    includeBots: row.include_bots,
    action: row.action,
    maxPerMinute: row.max_per_minute,
    paused: row.paused,
    hasSecret: row.sealed !== null,
    oldSecretsUntil: until && until.getTime() > Date.now() ? until.toISOString() : null,
    ...toStoredWorkFields(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const idPrefix = 'id:';

/** The key of a delivery that has an id of its sender. */
export function toIdKey(deliveryId: string): string {
  return `${idPrefix}${deliveryId}`;
}

/** The id that the sender gave a delivery; null for one without an id. */
export function toSendersId(deliveryKey: string): string | null {
  return deliveryKey.startsWith(idPrefix) ? deliveryKey.slice(idPrefix.length) : null;
}

/** Maps a row to a delivery. */
export function toTriggerDelivery(row: TriggerDeliveryRow): TriggerDelivery {
  return {
    id: row.id,
    triggerId: row.trigger_id,
    deliveryId: toSendersId(row.delivery_key),
    event: row.event,
    status: row.status,
    reason: row.reason,
    error: row.error,
    conversationId: row.conversation_id,
    turnId: row.turn_id,
    routineRunId: row.routine_run_id,
    duplicates: row.duplicates,
    receivedAt: row.received_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
