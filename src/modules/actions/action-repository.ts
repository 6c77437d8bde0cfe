import type { ActionKind, ActionStatus, Decider, PendingAction } from '../../domain/action.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { notifyOfActions, insertedDeliveries } from '../../platform/outbox/notify-webhooks.ts';
import { toPendingAction, type ActionRow, type LockedAction } from './action-rows.ts';
import { requestAction, toRequestBindings, type NewAction } from './request-action.ts';

interface Decision {
  actionId: string;
  status: 'approved' | 'rejected' | 'answered';
  decidedBy: Decider;
  reason: string | null;
  approvedArguments: JsonObject | null;
  /** Set when the status is `answered`; it may be null then, too. */
  answer?: JsonValue;
  isError?: boolean | null;
  /** SHA-256 over what may run. */
  hash: string;
}

/** Selects actions; those of a turn include the actions of the turns below it. */
export interface ActionFilter extends PageRequest {
  status?: ActionStatus | undefined;
  kind?: ActionKind | undefined;
  turnId?: string | undefined;
  conversationId?: string | undefined;
}

/** The pending actions of one workspace, which its turns wait for. */
export function createActionRepository(query: Query) {
  return {
    /** Asks for a decision, once for each call and kind, and lets the call wait. Null when the call has ended. */
    request: async (action: NewAction): Promise<ActionRow | null> => {
      const [row] = await query(requestAction, toRequestBindings(action));
      return row ?? null;
    },

    /** The rejected action of one kind of a turn over the same arguments of the same tool. */
    findRejected: async (action: {
      turnId: string;
      kind: ActionKind;
      hash: string;
    }): Promise<ActionRow | null> => {
      const [row] = await query(findRejected, action);
      return row ?? null;
    },

    find: async (id: string): Promise<ActionRow | null> => {
      const [row] = await query(findAction, { id });
      return row ?? null;
    },

    /** As `find`; keeps the action from changing until the transaction ends. */
    lock: async (id: string): Promise<LockedAction | null> => {
      const [row] = await query(lockAction, { id });
      return row ?? null;
    },

    /** Stores the decision about an action that `lock` has found pending. */
    decide: async (decision: Decision): Promise<ActionRow> => {
      const { approvedArguments, decidedBy, answer, isError = null } = decision;
      const [row] = await query(decideAction, {
        ...{ ...decision, isError },
        auditId: newId(),
        decidedBy: toStorableJson({ ...decidedBy }),
        approvedArguments: approvedArguments && toStorableJson(approvedArguments),
        answer: answer === undefined ? null : toStorableJson(answer),
      });
      if (!row) throw new Error(`action ${decision.actionId} is gone`);
      return row;
    },

    /** Cancels the open actions of a turn that ends. */
    cancelOfTurn: async (turnId: string): Promise<void> => {
      await query(cancelOfTurn, { turnId });
    },

    /** The actions that a turn and the turns below it wait for. */
    listPending: async (turnId: string): Promise<PendingAction[]> =>
      (await query(listPending, { turnId })).map(toPendingAction),

    /** Newest first; `cursor` is the id of the last action of the page before. */
    list: async ({ limit, cursor, ...filter }: ActionFilter): Promise<Page<PendingAction>> => {
      const rows = await query(toListStatement(filter), {
        status: filter.status ?? null,
        kind: filter.kind ?? null,
        turnId: filter.turnId ?? null,
        conversationId: filter.conversationId ?? null,
        cursor: cursor ?? greatestId,
        most: limit + 1,
      });
      return toPage(rows, limit, toPendingAction);
    },
  };
}

export type ActionRepository = ReturnType<typeof createActionRepository>;

const findRejected = defineStatement<{ turnId: string; kind: string; hash: string }, ActionRow>(
  'find_rejected_action',
  `SELECT * FROM pending_actions
   WHERE turn_id = :turnId AND kind = :kind AND hash = :hash AND status = 'rejected' LIMIT 1`,
);

const findAction = defineStatement<{ id: string }, ActionRow>(
  'find_action',
  'SELECT * FROM pending_actions WHERE id = :id',
);

const lockAction = defineStatement<{ id: string }, LockedAction>(
  'lock_action',
  `SELECT a.*, a.expires_at <= now() AS is_expired, c.tool AS definition, t.agent_id,
     root.conversation_id AS root_conversation_id
   FROM pending_actions a JOIN tool_calls c ON c.id = a.tool_call_id JOIN turns t ON t.id = a.turn_id
     JOIN turns root ON root.id = a.root_turn_id
   WHERE a.id = :id FOR UPDATE OF a`,
);

const decideAction = defineStatement<
  Omit<Decision, 'decidedBy' | 'approvedArguments' | 'answer' | 'isError'> & {
    decidedBy: string;
    approvedArguments: string | null;
    answer: string | null;
    isError: boolean | null;
    auditId: string;
  },
  ActionRow
>(
  'decide_action',
  `WITH decided AS (
  UPDATE pending_actions SET status = :status, decided_at = now(), decided_by = :decidedBy::jsonb, reason = :reason,
    approved_arguments = :approvedArguments::jsonb, hash = :hash, answer = :answer::jsonb, is_error = :isError
  WHERE id = :actionId AND status = 'pending' RETURNING *
), logged AS (
  SELECT append_events(conversation_id, turn_id, jsonb_build_array(jsonb_build_object('type', 'action.decided',
    'payload', jsonb_build_object('actionId', id, 'kind', kind, 'status', status, 'decidedBy', decided_by,
      'reason', reason, 'approvedArguments', approved_arguments))), 0) FROM decided
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'action.decided', id, jsonb_build_object('kind', kind, 'tool_name', tool, 'hash', hash,
    'status', status, 'decided_by', decided_by, 'reason', reason) FROM decided
), ${notifyOfActions('action.decided', 'decided')}
SELECT decided.*, ${insertedDeliveries} FROM decided, logged`,
);

const cancelOfTurn = defineStatement<{ turnId: string }, unknown>(
  'cancel_actions_of_turn',
  `WITH locked AS (
  SELECT id FROM pending_actions WHERE turn_id = :turnId AND status = 'pending' ORDER BY id FOR UPDATE
)
UPDATE pending_actions a SET status = 'cancelled', decided_at = now()
FROM locked WHERE a.id = locked.id AND a.status = 'pending'`,
);

const listPending = defineStatement<{ turnId: string }, ActionRow>(
  'list_pending_actions',
  `SELECT * FROM pending_actions WHERE (turn_id = :turnId OR root_turn_id = :turnId) AND status = 'pending' ORDER BY id`,
);

/** Above all ids, so that a page without a cursor has a condition that an index serves. */
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface ListValues {
  status: string | null;
  kind: string | null;
  turnId: string | null;
  conversationId: string | null;
  cursor: string;
  most: number;
}

/** A list with its own statement, since a plan that is made once for all values serves one condition. */
function defineList(name: string, condition: string) {
  return defineStatement<ListValues, ActionRow>(
    name,
    `SELECT * FROM pending_actions WHERE ${condition} AND id < :cursor
     AND (:status::text IS NULL OR status = :status) AND (:kind::text IS NULL OR kind = :kind)
     AND (:turnId::uuid IS NULL OR turn_id = :turnId OR root_turn_id = :turnId)
     AND (:conversationId::uuid IS NULL OR conversation_id = :conversationId)
   ORDER BY id DESC LIMIT :most`,
  );
}

const listActions = defineList('list_actions', 'true');
const listOpenActions = defineList('list_open_actions', `status = 'pending'`);
const listActionsOfTurn = defineList('list_actions_of_turn', '(turn_id = :turnId OR root_turn_id = :turnId)');
const listActionsOfConversation = defineList(
  'list_actions_of_conversation',
  'conversation_id = :conversationId',
);

function toListStatement({ status, turnId, conversationId }: Partial<ActionFilter>) {
  if (turnId !== undefined) return listActionsOfTurn;
  if (conversationId !== undefined) return listActionsOfConversation;
  return status === 'pending' ? listOpenActions : listActions;
}
