import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import type { JsonValue } from '../../domain/json.ts';
import { toStorableJson } from '../../domain/storable.ts';
import type {
  TriggerAction,
  TriggerDelivery,
  TriggerDeliveryDetails,
  TriggerDeliveryStatus,
} from './trigger.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { toTriggerDelivery, type TriggerDeliveryRow } from './trigger-rows.ts';

/** A delivery before it is stored. */
export interface NewTriggerDelivery {
  triggerId: string;
  deliveryKey: string;
  contentHash: Buffer | null;
  event: string | null;
  status: TriggerDeliveryStatus;
  reason: string | null;
  /** The rest is set for a delivery that is to start something. */
  action: TriggerAction | null;
  payload: JsonValue | undefined;
}

/** A delivery that waits to be started. */
export interface AcceptedDelivery {
  id: string;
  triggerId: string;
  deliveryKey: string;
  event: string | null;
  action: TriggerAction;
  payload: JsonValue;
  attempts: number;
  /** The actor who started it again; null before the first retry. */
  retriedBy: ActorRef | null;
  receivedAt: Date;
}

/** The work that a delivery has started. */
export type TriggeredIds = Partial<Pick<TriggerDelivery, 'conversationId' | 'turnId' | 'routineRunId'>>;

interface DeliveryFilter extends PageRequest {
  triggerId: string;
  status?: TriggerDeliveryStatus | undefined;
}

/** The time after which the sweeper starts a delivery that the process has not started, in seconds. */
const startGraceSeconds = 5;

/** The deliveries to the triggers of one workspace. */
export function createTriggerDeliveryRepository(trx: Knex) {
  const rows = () => trx<TriggerDeliveryRow>('trigger_deliveries');
  /** Ends a delivery that is still to be started. */
  const end = async (id: string, change: object): Promise<void> => {
    await rows()
      .where({ id, status: 'accepted' })
      .update({ ...change, ended_at: trx.fn.now() });
  };
  return {
    /** Stores a delivery, or counts it as a duplicate of the stored one with its key or content. Answers the stored one's id. */
    store: (delivery: NewTriggerDelivery): Promise<{ id: string; isNew: boolean }> => store(trx, delivery),

    /** Null when it waits no more, or was removed. */
    findAccepted: async (id: string): Promise<AcceptedDelivery | null> => {
      const row = await rows().where({ id, status: 'accepted' }).first();
      if (!row?.action) return null;
      const { trigger_id: triggerId, delivery_key: deliveryKey, received_at: receivedAt } = row;
      const { event, action, payload, attempts, retried_by: retriedBy } = row;
      return { id, triggerId, deliveryKey, event, action, payload, attempts, retriedBy, receivedAt };
    },

    markStarted: (id: string, { conversationId, turnId, routineRunId }: TriggeredIds): Promise<void> =>
      end(id, {
        ...{ status: 'started', error: null },
        conversation_id: conversationId ?? null,
        turn_id: turnId ?? null,
        routine_run_id: routineRunId ?? null,
      }),

    markIgnored: (id: string, reason: string): Promise<void> => end(id, { status: 'ignored', reason }),

    markFailed: (id: string, error: ErrorInfo): Promise<void> =>
      end(id, { status: 'failed', error: toStorableJson(error) }),

    /** Notes why a delivery could not be started; the sweeper tries again. */
    noteError: async (id: string, error: ErrorInfo): Promise<void> => {
      const change: object = { error: toStorableJson(error) };
      await rows().where({ id, status: 'accepted' }).update(change);
    },

    /**
     * Lets a delivery that started nothing be started with another action. False when it has started something, waits to,
     * or has no payload any more.
     */
    acceptAgain: async (id: string, action: TriggerAction, by: ActorRef): Promise<boolean> => {
      const change: object = {
        ...{ status: 'accepted', action: toStorableJson(action), reason: null, error: null },
        ...{ retried_by: toStorableJson(by), ended_at: null, attempts: 0, next_attempt_at: inGraceTime(trx) },
      };
      const changed = await rows()
        .where({ id })
        .whereIn('status', ['failed', 'ignored'])
        .whereNotNull('payload')
        .update(change);
      return changed > 0;
    },

    /** Newest first. */
    listDeliveries: async (filter: DeliveryFilter): Promise<Page<TriggerDelivery>> => {
      const { triggerId, status, cursor, limit } = filter;
      const query = rows().where({ trigger_id: triggerId }).orderBy('id', 'desc');
      if (status) void query.where({ status });
      if (cursor) void query.where('id', '<', cursor);
      return toPage(await query.limit(limit + 1), limit, toTriggerDelivery);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getDelivery: async (triggerId: string, id: string): Promise<TriggerDeliveryDetails> => {
      const row = await rows().where({ id, trigger_id: triggerId }).first();
      if (!row) throw new HoldfastError('NOT_FOUND', `There is no delivery ${id} to trigger ${triggerId}.`);
      return { ...toTriggerDelivery(row), payload: row.payload };
    },
  };
}

function inGraceTime(trx: Knex): Knex.Raw {
  return trx.raw('now() + make_interval(secs => ?)', [startGraceSeconds]);
}

async function store(trx: Knex, delivery: NewTriggerDelivery): Promise<{ id: string; isNew: boolean }> {
  const { triggerId, deliveryKey, contentHash, event, status, reason, action, payload } = delivery;
  const id = newId();
  const [inserted] = await trx('trigger_deliveries')
    .insert({
      ...{ id, trigger_id: triggerId, delivery_key: deliveryKey, content_hash: contentHash },
      ...{ event, status, reason },
      action: action && toStorableJson(action),
      payload: payload === undefined ? null : toStorableJson(payload),
      next_attempt_at: inGraceTime(trx),
      ended_at: status === 'accepted' ? null : trx.fn.now(),
    })
    .onConflict()
    .ignore()
    .returning<{ id: string }[]>('id');
  // Refused requests are not counted: anybody may send many, and each would lock the same row.
  if (inserted || status === 'refused') return { id, isNew: inserted !== undefined };
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `UPDATE trigger_deliveries SET duplicates = duplicates + 1 WHERE id = (
       SELECT id FROM trigger_deliveries
       WHERE trigger_id = :triggerId AND (delivery_key = :deliveryKey OR content_hash = :contentHash::bytea)
       ORDER BY id LIMIT 1)
     RETURNING id`,
    { triggerId, deliveryKey, contentHash },
  );
  if (rows[0]) return { id: rows[0].id, isNew: false };
  throw new Error('a delivery was removed while it came again');
}
