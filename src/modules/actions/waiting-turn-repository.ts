import { isoTime } from '../../platform/database/iso-time.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { notifyOfActions, insertedDeliveries } from '../../platform/outbox/notify-webhooks.ts';

/** A pending action of a turn. `dueAt` is the time of its reminder, or after that of its expiry; in epoch milliseconds. */
export interface WaitedAction {
  id: string;
  dueAt: number;
}

/** Turns that wait for people. */
export function createWaitingTurnRepository(query: Query) {
  return {
    /**
     * Expires the actions of a turn whose time is over, and sends the reminders that are due. With
     * `locksAll` all actions of the turn, and of the turns below it, are locked before events lock the conversation.
     */
    applyTime: async (turnId: string, { locksAll = false } = {}): Promise<void> => {
      await query(lockActions, { turnId, locksAll });
      await query(expireActions, { turnId, actionId: null });
      await query(remindOfActions, { turnId });
    },

    /** Expires an action whose call waits no longer, unless it was decided. */
    expire: async (turnId: string, actionId: string): Promise<void> => {
      await query(expireActions, { turnId, actionId });
    },

    listPending: (turnId: string): Promise<WaitedAction[]> => query(listWaited, { turnId }),

    /** The ids of the turns that tool calls of a turn have started and that wait for people. */
    listWaitingChildren: async (turnId: string): Promise<string[]> => {
      const rows = await query(listWaitingChildren, { turnId });
      return rows.map(({ id }) => id);
    },

    /** Lets a turn wait; its time stands still. */
    beginWaiting: async (turnId: string, timeLeftMs: number): Promise<void> => {
      await query(beginWaiting, { turnId, timeLeftMs });
    },

    /** Lets a turn continue, with so much time until its deadline. */
    resume: async (turnId: string, timeLeftMs: number): Promise<void> => {
      await query(resume, { turnId, timeLeftMs });
    },
  };
}

export type WaitingTurnRepository = ReturnType<typeof createWaitingTurnRepository>;

/** Those who decide lock actions before the conversation. The order of ids keeps two that lock several apart. */
const lockActions = defineStatement<{ turnId: string; locksAll: boolean }, unknown>(
  'lock_reviewed_actions',
  `SELECT id FROM pending_actions
   WHERE (turn_id = :turnId OR root_turn_id = :turnId) AND status = 'pending' AND (:locksAll::boolean
     OR turn_id = :turnId AND (expires_at <= now() OR remind_at <= now() AND reminded_at IS NULL))
   ORDER BY id FOR UPDATE`,
);

/** Each action has its own event, in the order of their ids. */
const expireActions = defineStatement<{ turnId: string; actionId: string | null }, unknown>(
  'expire_actions',
  `WITH locked AS (
  SELECT id FROM pending_actions
  WHERE turn_id = :turnId AND status = 'pending' AND (expires_at <= now() OR id = :actionId::uuid)
  ORDER BY id FOR UPDATE
), expired AS (
  UPDATE pending_actions a SET status = 'expired', decided_at = now()
  FROM locked WHERE a.id = locked.id AND a.status = 'pending' RETURNING a.*
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT gen_random_uuid(), 'action.expired', id, jsonb_build_object('kind', kind, 'tool_name', tool) FROM expired
), ${notifyOfActions('action.expired', 'expired')}
SELECT ${insertedDeliveries}, append_events(conversation_id, turn_id, jsonb_agg(jsonb_build_object('type', 'action.expired',
  'payload', jsonb_build_object('actionId', id, 'kind', kind)) ORDER BY id), 0)
FROM expired GROUP BY conversation_id, turn_id`,
);

const remindOfActions = defineStatement<{ turnId: string }, unknown>(
  'remind_of_actions',
  `WITH due AS (
  UPDATE pending_actions SET reminded_at = now()
  WHERE turn_id = :turnId AND status = 'pending' AND remind_at <= now() AND reminded_at IS NULL RETURNING *
), ${notifyOfActions('action.reminded', 'due')}
SELECT ${insertedDeliveries}, append_events(conversation_id, turn_id, jsonb_agg(jsonb_build_object('type', 'action.reminded',
  'payload', jsonb_build_object('actionId', id, 'kind', kind, 'expiresAt', ${isoTime('expires_at')})) ORDER BY id), 0)
FROM due GROUP BY conversation_id, turn_id`,
);

const listWaited = defineStatement<{ turnId: string }, WaitedAction>(
  'list_waited_actions',
  `SELECT id, (extract(epoch FROM CASE WHEN reminded_at IS NULL THEN remind_at ELSE expires_at END) * 1000)::float8
     AS "dueAt"
   FROM pending_actions WHERE turn_id = :turnId AND status = 'pending'`,
);

const listWaitingChildren = defineStatement<{ turnId: string }, { id: string }>(
  'list_waiting_children',
  `SELECT id FROM turns WHERE parent_turn_id = :turnId AND status = 'waiting_for_approval'`,
);

const beginWaiting = defineStatement<{ turnId: string; timeLeftMs: number }, unknown>(
  'begin_waiting',
  `UPDATE turns SET status = 'waiting_for_approval', deadline_at = NULL, time_left_ms = :timeLeftMs
   WHERE id = :turnId AND status = 'running'`,
);

const resume = defineStatement<{ turnId: string; timeLeftMs: number }, unknown>(
  'go_on_after_waiting',
  `UPDATE turns SET status = 'running', deadline_at = now() + make_interval(secs => :timeLeftMs::float8 / 1000)
   WHERE id = :turnId AND status IN ('running', 'waiting_for_approval')`,
);
