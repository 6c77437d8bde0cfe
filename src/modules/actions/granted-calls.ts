import type { JsonObject } from '../../domain/json.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { notifyOfActions, insertedDeliveries } from '../../platform/outbox/notify-webhooks.ts';
import type { ActionRow } from './action-rows.ts';
import type { GrantInForce } from './grant-repository.ts';
import { rootTurn } from './root-turn.ts';

/** A tool call that a remembered approval lets run. */
interface GrantedCall {
  grantId: string;
  toolCallId: string;
  arguments: JsonObject;
  /** SHA-256 over what may run. */
  hash: string;
  toolHash: string;
}

/** The calls that one remembered approval may hold for. */
export interface GrantReach {
  scope: string;
  scopeId: string;
  toolHash: string;
}

/** An action whose approval is remembered, and the scope in which it holds. */
interface Remembered {
  actionId: string;
  scope: string;
}

/** A pending action that a remembered approval may decide. */
export type WaitingApproval = Pick<
  ActionRow,
  'id' | 'arguments' | 'asked_by' | 'approvers' | 'self_approval'
>;

const mostOfPage = 200;

/** The calls that remembered approvals let run. */
export function createGrantedCalls(query: Query) {
  return {
    /**
     * Keeps approvals of the workspace from being remembered until the transaction ends, so that a call either finds
     * the approval, or is found by it.
     */
    lockForAsking: async (): Promise<void> => {
      await query(lockShared, {});
    },

    /**
     * Lets other calls of the workspace ask only after the transaction has ended. Keeps the action whose approval is to
     * be remembered from changing, and those that wait within its reach.
     */
    lockForRemembering: async (remembered: Remembered): Promise<void> => {
      await query(lockAlone, {});
      await query(lockReached, remembered);
    },

    /** Approves a call without an action. Null when an action was requested for it, or when the call has ended. */
    approve: async (call: GrantedCall): Promise<ActionRow | null> => {
      const values = { id: newId(), auditId: newId(), arguments: toStorableJson(call.arguments) };
      const [row] = await query(approveCall, { ...call, ...values });
      return row ?? null;
    },

    /** Lists what waits within reach of a remembered approval, and keeps it from changing until the transaction ends. */
    listWaiting: async (reach: GrantReach): Promise<WaitingApproval[]> => {
      const waiting: WaitingApproval[] = [];
      for (;;) {
        const page = await query(listWaiting, {
          ...reach,
          after: waiting.at(-1)?.id ?? null,
          most: mostOfPage,
        });
        waiting.push(...page);
        if (page.length < mostOfPage) return waiting;
      }
    },

    /** Approves pending actions that `listWaiting` has found. */
    release: ({ id: grantId }: Pick<GrantInForce, 'id'>, ids: string[]): Promise<ActionRow[]> =>
      ids.length === 0 ? Promise.resolve([]) : query(release, { grantId, ids }),
  };
}

export type GrantedCalls = ReturnType<typeof createGrantedCalls>;

const lockKey = `hashtextextended('approval grants ' || current_workspace(), 0)`;

const lockShared = defineStatement<object, unknown>(
  'lock_approval_grants_shared',
  `SELECT pg_advisory_xact_lock_shared(${lockKey})`,
);

const lockAlone = defineStatement<object, unknown>(
  'lock_approval_grants',
  `SELECT pg_advisory_xact_lock(${lockKey})`,
);

/** Actions are locked in the order of their ids, so that two transactions never wait for each other in a circle. */
const lockReached = defineStatement<Remembered, unknown>(
  'lock_actions_to_remember',
  `SELECT count(*) FROM (
     SELECT a.id FROM pending_actions own JOIN turns own_turn ON own_turn.id = own.turn_id
       JOIN turns own_root ON own_root.id = own.root_turn_id
       JOIN pending_actions a ON a.tool_hash = own.tool_hash JOIN turns t ON t.id = a.turn_id
       JOIN turns root ON root.id = a.root_turn_id
     WHERE own.id = :actionId AND own.status = 'pending' AND own.can_remember
       AND a.status = 'pending' AND a.can_remember AND a.expires_at > now()
       AND CASE :scope::text WHEN 'conversation' THEN root.conversation_id = own_root.conversation_id
         WHEN 'agent' THEN t.agent_id = own_turn.agent_id ELSE true END
     ORDER BY a.id FOR UPDATE OF a
   ) locked`,
);

/** Each use of a remembered approval is audited, with the call that it let run. */
function auditUse(actions: string, id: string): string {
  return `INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT ${id}, 'approval_grant.used', (decided_by ->> 'grantId')::uuid, jsonb_build_object('action_id', id,
    'tool_call_id', tool_call_id, 'tool_name', coalesce(target, tool), 'hash', hash, 'decided_by', decided_by)
  FROM ${actions}`;
}

const approveCall = defineStatement<
  Omit<GrantedCall, 'arguments'> & { id: string; auditId: string; arguments: string },
  ActionRow
>(
  'approve_call_by_grant',
  `WITH RECURSIVE call AS (
  SELECT id, conversation_id, turn_id, iteration, index, name, target FROM tool_calls
  WHERE id = :toolCallId AND status IN ('requested', 'started')
), ${rootTurn}, granted AS (
  INSERT INTO pending_actions (id, kind, status, conversation_id, turn_id, root_turn_id, tool_call_id, tool, target,
    tool_hash, arguments, hash, remind_at, expires_at, decided_at, decided_by, redeemed_at, asked_by)
  SELECT :id::uuid, 'approval', 'approved', call.conversation_id, call.turn_id, root.id, call.id, call.name, call.target,
    :toolHash, :arguments::jsonb, :hash, g.until, g.until, now(),
    g.created_by || jsonb_build_object('grantId', g.id), now(), root.asked_by
  FROM call, root, approval_grants g
  WHERE g.id = :grantId
  ON CONFLICT (tool_call_id, kind, position) DO NOTHING
  RETURNING *
), logged AS (
  SELECT append_events(granted.conversation_id, granted.turn_id, jsonb_build_array(jsonb_build_object(
    'type', 'action.granted', 'payload', jsonb_build_object('actionId', granted.id, 'kind', granted.kind,
      'toolCallId', call.id, 'iteration', call.iteration, 'index', call.index, 'name', call.name,
      'arguments', granted.arguments, 'decidedBy', granted.decided_by))), 0)
  FROM granted, call
), audited AS (
  ${auditUse('granted', ':auditId::uuid')}
)
SELECT granted.* FROM granted, logged`,
);

const listWaiting = defineStatement<GrantReach & { after: string | null; most: number }, WaitingApproval>(
  'list_actions_to_release',
  `SELECT a.id, a.arguments, a.asked_by, a.approvers, a.self_approval FROM pending_actions a
     JOIN turns t ON t.id = a.turn_id JOIN turns root ON root.id = a.root_turn_id
   WHERE a.tool_hash = :toolHash AND a.status = 'pending' AND a.can_remember AND a.expires_at > now()
     AND (:after::uuid IS NULL OR a.id > :after)
     AND :scopeId::uuid = CASE :scope::text WHEN 'conversation' THEN root.conversation_id
       WHEN 'agent' THEN t.agent_id ELSE a.workspace_id END
   ORDER BY a.id LIMIT :most FOR UPDATE OF a`,
);

/** Each action has its own event, in the order of their ids. */
const release = defineStatement<{ grantId: string; ids: string[] }, ActionRow>(
  'release_actions_by_grant',
  `WITH decided AS (
  UPDATE pending_actions a SET status = 'approved', decided_at = now(),
    decided_by = g.created_by || jsonb_build_object('grantId', g.id)
  FROM approval_grants g WHERE g.id = :grantId AND a.id = ANY (:ids::uuid[]) AND a.status = 'pending' RETURNING a.*
), logged AS (
  SELECT append_events(conversation_id, turn_id, jsonb_agg(jsonb_build_object('type', 'action.decided',
    'payload', jsonb_build_object('actionId', id, 'kind', kind, 'status', status, 'decidedBy', decided_by,
      'reason', NULL, 'approvedArguments', NULL)) ORDER BY id), 0)
  FROM decided GROUP BY conversation_id, turn_id
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT gen_random_uuid(), 'action.decided', id, jsonb_build_object('kind', kind, 'tool_name', tool, 'hash', hash,
    'status', status, 'decided_by', decided_by, 'reason', NULL) FROM decided
), used AS (
  ${auditUse('decided', 'gen_random_uuid()')}
), ${notifyOfActions('action.decided', 'decided')}
SELECT decided.*, ${insertedDeliveries} FROM decided, (SELECT count(*) FROM logged) AS written`,
);
