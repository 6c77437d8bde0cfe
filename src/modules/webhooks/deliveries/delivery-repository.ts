import type { Knex } from 'knex';
import { HoldfastError } from '../../../domain/errors.ts';
import type { ActorRef } from '../../../domain/actor.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryStatus,
  SlackChannel,
  WebhookEvent,
} from '../../../domain/webhook.ts';
import { toPage, type Page, type PageRequest } from '../../../platform/database/page.ts';

interface DeliveryRow {
  id: string;
  webhook_id: string;
  type: WebhookEvent;
  data: JsonObject;
  status: DeliveryStatus;
  by_hand: boolean;
  attempt_count: number;
  attempts: DeliveryAttempt[];
  created_at: Date;
  next_attempt_at: Date;
  ended_at: Date | null;
}

/** Which deliveries of a webhook are listed. */
interface DeliveryFilter extends PageRequest {
  webhookId: string;
  status?: DeliveryStatus | undefined;
}

/** A message that is due, or waits; its webhook's URL and secrets are null when that was deleted. */
export interface DueDelivery {
  webhookId: string;
  type: WebhookEvent;
  data: JsonObject;
  createdAt: Date;
  status: DeliveryStatus;
  attempts: number;
  /** Whether a person asked for this attempt after the delivery had ended: no other one follows. */
  byHand: boolean;
  lastAttempt: DeliveryAttempt | null;
  /** Until the next attempt, in milliseconds; zero or less when it is due. */
  waitMs: number;
  url: string | null;
  slack: SlackChannel | null;
  sealed: Buffer | null;
  isEnabled: boolean;
  createdBy: ActorRef | null;
  changedBy: ActorRef | null;
  /** Whether the people of its channel may decide by the message. */
  decides: boolean;
}

/** The result of an attempt. `waitMs` is the time until the next one, for a delivery that stays `pending`. */
interface StoredAttempt {
  id: string;
  attempt: DeliveryAttempt;
  status: DeliveryStatus;
  waitMs: number;
  /** The result that later deliveries need. */
  result: JsonObject | null;
}

/** How far a webhook has come with asking for a decision. */
export interface AskedDelivery {
  status: DeliveryStatus;
  result: JsonObject | null;
}

/** How many attempts of a delivery are kept: all of the schedule, and some by hand. */
const keptAttempts = 50;

/** The messages to the webhooks of one workspace, and how they were delivered. */
export function createDeliveryRepository(trx: Knex) {
  const rows = () => trx<DeliveryRow>('webhook_deliveries');
  return {
    /** Newest first. */
    listDeliveries: async ({ webhookId, status, cursor, limit }: DeliveryFilter): Promise<Page<Delivery>> => {
      const query = rows().where({ webhook_id: webhookId }).orderBy('id', 'desc');
      if (status) void query.where({ status });
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toDelivery);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getDelivery: async (webhookId: string, id: string): Promise<DeliveryDetails> => {
      const row = await rows().where({ id, webhook_id: webhookId }).first();
      if (!row) throw new HoldfastError('NOT_FOUND', `There is no delivery ${id} of webhook ${webhookId}.`);
      return { ...toDelivery(row), attempts: row.attempts };
    },

    /** Makes a delivery due now, also one that has ended. The schedule of one that still waits continues where it is. */
    resend: async (id: string): Promise<void> => {
      await rows()
        .where({ id })
        .update({
          by_hand: trx.raw(`by_hand OR status <> 'pending'`),
          status: 'pending',
          next_attempt_at: trx.fn.now(),
          ended_at: null,
        });
    },

    /** Null when it was removed. */
    findDue: (id: string): Promise<DueDelivery | null> => findDue(trx, id),

    /** Stores an attempt. One that arrived counts even when the delivery was cancelled meanwhile. */
    storeAttempt: (stored: StoredAttempt): Promise<void> => storeAttempt(trx, stored),

    /** Ends a delivery whose webhook takes no messages any more. */
    cancel: async (id: string): Promise<void> => {
      await rows().where({ id, status: 'pending' }).update({ status: 'cancelled', ended_at: trx.fn.now() });
    },

    /** The delivery by which a webhook asked for a decision about an action; null when it did not. */
    findAsked: async (webhookId: string, actionId: string): Promise<AskedDelivery | null> => {
      const asked = trx('webhook_deliveries').where({ webhook_id: webhookId, asked_action: actionId });
      const [row] = await asked.select<AskedDelivery[]>('status', 'result');
      return row ?? null;
    },

    /** Whether a message of the webhook arrived that is newer than this one. */
    hasLaterArrival: async (webhookId: string, id: string): Promise<boolean> => {
      const later = rows().where({ webhook_id: webhookId, status: 'delivered' }).where('id', '>', id);
      // The order keeps the planner from a scan of the table, in which it expects to find such a row soon.
      return (await later.orderBy('id', 'desc').first('id')) !== undefined;
    },
  };
}

async function findDue(trx: Knex, id: string): Promise<DueDelivery | null> {
  const { rows } = await trx.raw<{ rows: DueDelivery[] }>(
    `SELECT d.webhook_id AS "webhookId", d.type, d.data, d.created_at AS "createdAt", d.status,
       d.attempt_count AS attempts, d.by_hand AS "byHand", d.attempts -> -1 AS "lastAttempt",
       ceil(extract(epoch FROM d.next_attempt_at - now()) * 1000)::float8 AS "waitMs",
       w.url, w.slack, w.sealed, w.created_by AS "createdBy", w.changed_by AS "changedBy",
       w.disabled_at IS NULL AND w.id IS NOT NULL AS "isEnabled",
       coalesce(w.approvers <> '[]' AND d.created_at >= w.decides_since, false) AS decides
     FROM webhook_deliveries d LEFT JOIN webhooks w ON w.id = d.webhook_id WHERE d.id = :id`,
    { id },
  );
  return rows[0] ?? null;
}

async function storeAttempt(trx: Knex, { id, attempt, status, ...ended }: StoredAttempt): Promise<void> {
  await trx.raw(
    `UPDATE webhook_deliveries SET attempt_count = attempt_count + 1, by_hand = false,
       attempts = CASE WHEN jsonb_array_length(attempts) < :keptAttempts THEN attempts ELSE attempts - 0 END
         || :attempt::jsonb,
       status = CASE WHEN status = 'pending' OR :status = 'delivered' THEN :status ELSE status END,
       next_attempt_at = now() + make_interval(secs => :waitMs::float8 / 1000),
       ended_at = CASE WHEN :status <> 'pending' THEN now() ELSE ended_at END,
       result = coalesce(:result::jsonb, result)
     WHERE id = :id`,
    {
      ...{ id, status, keptAttempts, waitMs: ended.waitMs },
      attempt: toStorableJson([attempt]),
      result: ended.result && JSON.stringify(ended.result),
    },
  );
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    type: row.type,
    data: row.data,
    status: row.status,
    attemptCount: row.attempt_count,
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: row.status === 'pending' ? row.next_attempt_at.toISOString() : null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}
