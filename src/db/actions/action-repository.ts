import type { ActionKind, ActionStatus, Decider, PendingAction } from '../../domain/action.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Tool } from '../../domain/tool.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../lib/ids.ts';
import { isoTime } from '../iso-time.ts';
import { toPage, type Page, type PageRequest } from '../page.ts';
import { defineStatement, type Query } from '../statement.ts';

/** A row of `pending_actions`. */
export interface ActionRow {
  id: string;
  kind: ActionKind;
  status: ActionStatus;
  conversation_id: string;
  turn_id: string;
  root_turn_id: string;
  tool_call_id: string;
  tool: string;
  arguments: JsonObject;
  hash: string;
  created_at: Date;
  expires_at: Date;
  reminded_at: Date | null;
  decided_at: Date | null;
  decided_by: Decider | null;
  reason: string | null;
  approved_arguments: JsonObject | null;
}

/** An action that is about to be decided. */
export interface LockedAction extends ActionRow {
  /** Whether its time is over, though it may still be noted as pending. */
  is_expired: boolean;
  /** The tool that the call asked for. */
  definition: Tool;
}

/** A tool call that may run only after a person has approved it. */
interface NewApproval {
  toolCallId: string;
  arguments: JsonObject;
  /** SHA-256 over what would run. */
  hash: string;
  timeoutMs: number;
}

interface Decision {
  actionId: string;
  status: 'approved' | 'rejected';
  decidedBy: Decider;
  reason: string | null;
  approvedArguments: JsonObject | null;
  /** SHA-256 over what may run. */
  hash: string;
}

/** Selects actions; those of a turn include the actions of the turns below it. */
export interface ActionFilter extends PageRequest {
  status?: ActionStatus | undefined;
  turnId?: string | undefined;
  conversationId?: string | undefined;
}

/** The share of the time until it expires after which somebody is reminded of an action. */
const reminderShare = 0.8;

/** The pending actions of one workspace, which its turns wait for. */
export function createActionRepository(query: Query) {
  return {
    /** Asks for an approval, once for each call, and lets the call wait. Null when the call is not claimed. */
    request: async (approval: NewApproval): Promise<ActionRow | null> => {
      const [row] = await query(requestApproval, {
        ...approval,
        arguments: toStorableJson(approval.arguments),
        id: newId(),
        auditId: newId(),
        remindMs: Math.round(approval.timeoutMs * reminderShare),
      });
      return row ?? null;
    },

    /** The rejected action of a turn over the same arguments of the same tool. */
    findRejected: async (turnId: string, hash: string): Promise<ActionRow | null> => {
      const [row] = await query(findRejected, { turnId, hash });
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
      const { approvedArguments, decidedBy } = decision;
      const [row] = await query(decideAction, {
        ...decision,
        auditId: newId(),
        decidedBy: toStorableJson({ ...decidedBy }),
        approvedArguments: approvedArguments && toStorableJson(approvedArguments),
      });
      if (!row) throw new Error(`action ${decision.actionId} is gone`);
      return row;
    },

    /** Ends what is left over of a turn that ends. */
    cancelOfTurn: async (turnId: string): Promise<void> => {
      await query(cancelOfTurn, { turnId });
    },

    /** The actions that a turn and the turns below it wait for. */
    listPending: async (turnId: string): Promise<PendingAction[]> =>
      (await query(listPending, { turnId })).map(toPendingAction),

    /** Newest first; `cursor` is the id of the last action of the page before. */
    list: async ({ limit, cursor, ...filter }: ActionFilter): Promise<Page<PendingAction>> => {
      const rows = await query(listActions, {
        status: filter.status ?? null,
        turnId: filter.turnId ?? null,
        conversationId: filter.conversationId ?? null,
        cursor: cursor ?? null,
        most: limit + 1,
      });
      return toPage(rows, limit, toPendingAction);
    },
  };
}

export type ActionRepository = ReturnType<typeof createActionRepository>;

/** An action as the API shows it. */
export function toPendingAction(row: ActionRow): PendingAction {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    conversationId: row.conversation_id,
    turnId: row.turn_id,
    rootTurnId: row.root_turn_id,
    toolCallId: row.tool_call_id,
    tool: row.tool,
    arguments: row.arguments,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    remindedAt: row.reminded_at?.toISOString() ?? null,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedBy: row.decided_by,
    reason: row.reason,
    approvedArguments: row.approved_arguments,
  };
}

/** A call that waits is no longer claimed, as if it never was, so that it may be claimed whatever its effect is. */
const requestApproval = defineStatement<
  Omit<NewApproval, 'arguments'> & { arguments: string; id: string; auditId: string; remindMs: number },
  ActionRow
>(
  'request_approval',
  `WITH RECURSIVE call AS (
  UPDATE tool_calls SET status = 'requested', started_at = NULL, attempts = attempts - (status = 'started')::int
  WHERE id = :toolCallId AND status IN ('requested', 'started')
  RETURNING id, conversation_id, turn_id, iteration, index, name
), up AS (
  SELECT t.id, t.parent_turn_id FROM turns t JOIN call ON call.turn_id = t.id
  UNION ALL SELECT t.id, t.parent_turn_id FROM turns t JOIN up ON t.id = up.parent_turn_id
), asked AS (
  INSERT INTO pending_actions (id, kind, conversation_id, turn_id, root_turn_id, tool_call_id, tool, arguments, hash,
    remind_at, expires_at)
  SELECT :id::uuid, 'approval', conversation_id, turn_id, (SELECT id FROM up WHERE parent_turn_id IS NULL), id, name,
    :arguments::jsonb, :hash, now() + make_interval(secs => :remindMs::float8 / 1000),
    now() + make_interval(secs => :timeoutMs::float8 / 1000)
  FROM call
  ON CONFLICT (tool_call_id) DO NOTHING
  RETURNING *
), logged AS (
  SELECT append_events(asked.conversation_id, asked.turn_id, jsonb_build_array(jsonb_build_object(
    'type', 'action.requested', 'payload', jsonb_build_object('actionId', asked.id, 'kind', asked.kind,
      'toolCallId', call.id, 'iteration', call.iteration, 'index', call.index, 'name', call.name,
      'arguments', asked.arguments, 'expiresAt', ${isoTime('asked.expires_at')}))), 0)
  FROM asked, call
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'action.requested', id, jsonb_build_object('kind', kind, 'tool_name', tool, 'hash', hash)
  FROM asked
)
SELECT asked.* FROM asked, logged
UNION ALL SELECT a.* FROM pending_actions a JOIN call ON a.tool_call_id = call.id`,
);

const findRejected = defineStatement<{ turnId: string; hash: string }, ActionRow>(
  'find_rejected_action',
  `SELECT * FROM pending_actions WHERE turn_id = :turnId AND hash = :hash AND status = 'rejected' LIMIT 1`,
);

const findAction = defineStatement<{ id: string }, ActionRow>(
  'find_action',
  'SELECT * FROM pending_actions WHERE id = :id',
);

const lockAction = defineStatement<{ id: string }, LockedAction>(
  'lock_action',
  `SELECT a.*, a.expires_at <= now() AS is_expired, c.tool AS definition
   FROM pending_actions a JOIN tool_calls c ON c.id = a.tool_call_id WHERE a.id = :id FOR UPDATE OF a`,
);

const decideAction = defineStatement<
  Omit<Decision, 'decidedBy' | 'approvedArguments'> & {
    decidedBy: string;
    approvedArguments: string | null;
    auditId: string;
  },
  ActionRow
>(
  'decide_action',
  `WITH decided AS (
  UPDATE pending_actions SET status = :status, decided_at = now(), decided_by = :decidedBy::jsonb, reason = :reason,
    approved_arguments = :approvedArguments::jsonb, hash = :hash
  WHERE id = :actionId AND status = 'pending' RETURNING *
), logged AS (
  SELECT append_events(conversation_id, turn_id, jsonb_build_array(jsonb_build_object('type', 'action.decided',
    'payload', jsonb_build_object('actionId', id, 'kind', kind, 'status', status, 'decidedBy', decided_by,
      'reason', reason, 'approvedArguments', approved_arguments))), 0) FROM decided
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, 'action.decided', id, jsonb_build_object('kind', kind, 'tool_name', tool, 'hash', hash,
    'status', status, 'decided_by', decided_by, 'reason', reason) FROM decided
)
SELECT decided.* FROM decided, logged`,
);

const cancelOfTurn = defineStatement<{ turnId: string }, unknown>(
  'cancel_actions_of_turn',
  `UPDATE pending_actions SET status = 'cancelled', decided_at = now() WHERE turn_id = :turnId AND status = 'pending'`,
);

const listPending = defineStatement<{ turnId: string }, ActionRow>(
  'list_pending_actions',
  `SELECT * FROM pending_actions WHERE (turn_id = :turnId OR root_turn_id = :turnId) AND status = 'pending' ORDER BY id`,
);

const listActions = defineStatement<
  {
    status: string | null;
    turnId: string | null;
    conversationId: string | null;
    cursor: string | null;
    most: number;
  },
  ActionRow
>(
  'list_actions',
  `SELECT * FROM pending_actions WHERE (:status::text IS NULL OR status = :status)
     AND (:turnId::uuid IS NULL OR turn_id = :turnId OR root_turn_id = :turnId)
     AND (:conversationId::uuid IS NULL OR conversation_id = :conversationId)
     AND (:cursor::uuid IS NULL OR id < :cursor)
   ORDER BY id DESC LIMIT :most`,
);
