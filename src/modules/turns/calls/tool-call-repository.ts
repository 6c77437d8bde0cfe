import { newId } from '../../../platform/lib/ids.ts';
import type { ApprovalMode } from '../../../domain/approval.ts';
import type { ErrorInfo } from '../../../domain/errors.ts';
import type { JsonValue } from '../../../domain/json.ts';
import type { NewEvent } from '../../../domain/event.ts';
import { countToolEnd } from '../../../domain/model-context.ts';
import type { RuleSource } from '../../../domain/rules.ts';
import type { ToolEffect } from '../../../domain/tool.ts';
import type { ToolCallStatus } from '../../../domain/turn.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { AskedRequest, CallApproval } from '../../actions/call-actions.ts';
import { callerSource, chargeCall, isBudgeted } from '../../credits/credit-sql.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { createToolCallCounts } from './tool-call-counts.ts';
import type { ToolCallRow } from './tool-call-rows.ts';
import { isSteered, quarantinedTools, turnState, type TurnState } from '../turn-state.ts';

/** Names one tool call of a turn. */
export interface ToolCallPosition {
  turnId: string;
  iteration: number;
  index: number;
}

/** The ledger's row of a call that is about to run, with its status before this attempt. */
export interface ClaimedToolCall extends ToolCallRow {
  status_before: ToolCallStatus;
  cancel_requested: boolean;
  /** Whether a message of the user waits that the turn is to take before it runs more calls. */
  steering: boolean;
  agent_id: string;
  agent_version_id: string;
  /** The turns above, outermost first, whose rules hold here too. */
  rule_sources: RuleSource[];
  /** Whether a rule that blocks the call ends the turn as well, by the settings of the agent. */
  ends_turn: boolean;
  /** The ids of the agent's tools that changed since they were accepted. */
  quarantined: string[];
  /** False when the call has ended, was cut off and must not be repeated, or waits for a decision. */
  runs: boolean;
  /** The decision about the call, or that it is pending; null when no approval was requested. */
  approval: CallApproval | null;
  /** The requests of the call since, in the order in which it asked; null when it asked nothing. */
  requests: AskedRequest[] | null;
  /** Whether calls of the workspace that change something are asked about where their tools do not say. */
  workspace_approval: ApprovalMode | null;
  /** Whether the workspace has budgets, so that a call with a price is reserved before it runs. */
  budgeted: boolean;
  /** The process that claimed the call as the holder of its turn; null for a claim of a step that is its own activity. */
  held_by: string | null;
}

/** A claim of a call, as the statements that end or release it compare it with the row. */
export type HeldClaim = Pick<ClaimedToolCall, 'id' | 'attempts' | 'held_by'>;

/** How a tool call ended. */
export interface ToolCallEnd {
  id: string;
  status: 'succeeded' | 'failed' | 'unknown' | 'blocked' | 'skipped';
  result?: string;
  /** The parts of the result, with ids of stored files in place of binary bodies. */
  content?: JsonValue;
  resultBytes?: number;
  resultTruncated?: boolean;
  error?: ErrorInfo;
  /** The cost of the call, in credits as decimal text. @default nothing, for a tool without a price */
  creditsUsed?: string;
  event: NewEvent;
  audit: { type: string; payload: JsonValue };
}

/** The ledger: which attempt may run a tool call, and how the call ended. */
export function createToolCallRepository(query: Query) {
  return {
    /**
     * Claims a call for one attempt, which `claimId` names. The same claim again, after its answer was lost, changes
     * nothing and answers the same. Null when the turn has ended or has no such call, and when another process than `heldBy`
     * holds it.
     */
    claim: async (
      position: ToolCallPosition,
      claimId = newId(),
      heldBy: string | null = null,
    ): Promise<ClaimedToolCall | null> => {
      const [row] = await query(claim, { ...position, claimId, heldBy });
      return row ?? null;
    },

    /**
     * Releases the claim of an attempt that has sent nothing, so that the call may run again whatever its effect. Does
     * nothing when an earlier attempt or another program may have acted, or a later one has claimed the call.
     */
    release: async (claimed: Pick<ClaimedToolCall, 'id' | 'attempts' | 'status_before'>): Promise<void> => {
      const { id, attempts, status_before: before } = claimed;
      if (before === 'requested') await query(release, { id, attempts });
    },

    /** Stores the effect of a call that no later attempt has claimed. */
    setEffect: async ({ id, attempts }: HeldClaim, effect: ToolEffect): Promise<void> => {
      await query(setEffect, { id, attempts, effect });
    },

    ...createToolCallCounts(query),

    /**
     * Stores the end of a call, with its event and its audit event; what it still asked ends. Null when it had ended before,
     * when a later attempt has claimed it than the one that ends it, and when another process holds its turn.
     * @param claimed the claim of that attempt; none for a transaction that has locked the turn and ends what is open
     */
    finish: async (end: ToolCallEnd, claimed?: HeldClaim): Promise<TurnState | null> => {
      const { attempts = null, held_by: heldBy = null } = claimed ?? {};
      const values = { ...toFinishBindings(end), attempts, heldBy };
      // The turn is locked before its calls, by every transaction that locks both.
      const costs = values.credits !== null && values.credits !== '0';
      const [, [state]] = await Promise.all([
        costs ? query(lockTurnOfCall, { id: end.id }) : null,
        query(finish, values),
      ]);
      return state ?? null;
    },

    /** Calls of a turn that have not ended, up to and with an iteration. */
    listOpen: (turnId: string, upToIteration: number): Promise<ToolCallRow[]> =>
      query(listOpen, { turnId, upToIteration }),

    /** All calls of one iteration. */
    listOfIteration: (turnId: string, iteration: number): Promise<ToolCallRow[]> =>
      query(listOfIteration, { turnId, iteration }),
  };
}

export type ToolCallRepository = ReturnType<typeof createToolCallRepository>;

/** SQL of the decision about a call, of which the action is `a`. */
export const callApproval = `CASE WHEN a.id IS NOT NULL THEN jsonb_build_object('actionId', a.id, 'status', a.status,
  'hash', a.hash, 'toolHash', a.tool_hash, 'reason', a.reason, 'arguments', a.approved_arguments) END AS approval`;

/**
 * No call of a turn that gets recorded results is ever claimed, so none of them can run.
 *
 * Counts the attempt and logs the start of a call that will run; a call that must not be repeated stays as it is. The
 * claim is on disk before the call runs: a crash of the database that lost it would hide what the call did, and would
 * give the number of its event to another one.
 */
const claim = defineStatement<ToolCallPosition & { claimId: string; heldBy: string | null }, ClaimedToolCall>(
  'claim_tool_call',
  `WITH found AS (
  SELECT c.*, c.status = 'started' AND c.claimed_by IS NOT DISTINCT FROM :claimId::uuid AS repeated FROM tool_calls c
  WHERE c.turn_id = :turnId AND c.iteration = :iteration AND c.index = :index FOR UPDATE
), before AS (
  SELECT c.id, c.repeated, CASE WHEN c.repeated THEN c.claimed_from ELSE c.status END AS status, t.agent_id, t.agent_version_id, t.rule_sources,
    t.cancel_requested_at IS NOT NULL AS cancel_requested,
    v.rules ->> 'onBlocked' = 'end_turn' AS ends_turn, ${quarantinedTools('t')} AS quarantined, steer.steering,
    (c.repeated OR c.status = 'requested' AND NOT steer.steering OR c.status = 'started' AND c.effect <> 'unsafe')
      AND coalesce(a.status, 'approved') = 'approved' AND asked.is_open IS NOT TRUE AS runs,
    ${callApproval}, asked.requests,
    (SELECT w.approval FROM workspaces w WHERE w.id = c.workspace_id) AS workspace_approval, ${isBudgeted} AS budgeted
  FROM found c JOIN turns t ON t.id = c.turn_id JOIN agent_versions v ON v.id = t.agent_version_id
    LEFT JOIN pending_actions a ON a.tool_call_id = c.id AND a.kind = 'approval'
    LEFT JOIN LATERAL (
      SELECT bool_or(r.status = 'pending') AS is_open, bool_or(r.status = 'answered') AS is_answered,
        jsonb_agg(jsonb_build_object('actionId', r.id, 'kind', r.kind, 'status', r.status, 'reason', r.reason,
          'answer', r.answer, 'isError', r.is_error, 'hash', r.hash, 'source', r.source,
          'timeoutMs', round(extract(epoch FROM r.expires_at - r.created_at) * 1000)) ORDER BY r.position) AS requests
      FROM pending_actions r WHERE r.tool_call_id = c.id AND r.kind <> 'approval'
    ) asked ON true
    CROSS JOIN LATERAL (SELECT ${isSteered('t')} AND asked.is_answered IS NOT TRUE AS steering) steer
  WHERE t.status = 'running' AND t.recorded_from IS NULL AND t.held_by IS NOT DISTINCT FROM coalesce(:heldBy::uuid, t.held_by)
), claimed AS (
  UPDATE tool_calls c SET
    status = CASE WHEN before.runs THEN 'started' ELSE c.status END,
    attempts = c.attempts + (before.runs AND NOT before.repeated)::int,
    started_at = coalesce(c.started_at, clock_timestamp()),
    claimed_by = CASE WHEN before.runs THEN :claimId::uuid ELSE c.claimed_by END,
    claimed_from = CASE WHEN before.runs THEN before.status ELSE c.claimed_from END
  FROM before WHERE c.id = before.id
  RETURNING c.*, before.repeated, before.status AS status_before, before.cancel_requested, before.runs, before.agent_id,
    before.agent_version_id, before.rule_sources, before.ends_turn, before.quarantined, before.approval,
    before.requests, before.workspace_approval, before.steering, before.budgeted, :heldBy::uuid AS held_by
), redeemed AS (
  UPDATE pending_actions a SET redeemed_at = coalesce(a.redeemed_at, now())
  FROM claimed WHERE a.tool_call_id = claimed.id AND (a.status = 'approved' AND claimed.runs OR a.status = 'answered')
), logged AS (
  SELECT append_events(conversation_id, turn_id, jsonb_build_array(jsonb_build_object(
    'type', 'tool.started', 'payload', jsonb_build_object('toolCallId', id, 'iteration', iteration,
      'index', index, 'name', name, 'attempt', attempts))), 0)
  FROM claimed WHERE runs AND NOT repeated
)
SELECT claimed.* FROM claimed LEFT JOIN logged ON true`,
);

const release = defineStatement<{ id: string; attempts: number }, unknown>(
  'release_tool_call',
  `UPDATE tool_calls SET status = 'requested'
   WHERE id = :id AND status = 'started' AND attempts = :attempts
     AND NOT EXISTS (SELECT FROM pending_actions a WHERE a.tool_call_id = :id AND a.kind = 'client_tool')`,
);

const setEffect = defineStatement<{ id: string; attempts: number; effect: ToolEffect }, unknown>(
  'set_tool_call_effect',
  `UPDATE tool_calls SET effect = :effect
   WHERE id = :id AND status IN ('requested', 'started') AND attempts = :attempts`,
);

/** The bindings of a statement that stores the end of a call. */
export function toFinishBindings(end: ToolCallEnd) {
  return {
    id: end.id,
    status: end.status,
    result: end.result ?? null,
    content: end.content === undefined || end.content === null ? null : toStorableJson(end.content),
    resultBytes: end.resultBytes ?? null,
    resultTruncated: end.resultTruncated ?? false,
    error: end.error ? toStorableJson(end.error) : null,
    events: toStorableJson([end.event]),
    auditId: newId(),
    auditType: end.audit.type,
    auditPayload: toStorableJson(end.audit.payload),
    characters: countToolEnd(end),
    credits: end.creditsUsed ?? null,
  };
}

const lockTurnOfCall = defineStatement<{ id: string }, unknown>(
  'lock_turn_of_tool_call',
  `SELECT FROM turns WHERE id = (SELECT turn_id FROM tool_calls WHERE id = :id) FOR NO KEY UPDATE`,
);

/** The actions come before the event, whose conversation is locked: those who decide lock them in this order too. */
const finish = defineStatement<
  ReturnType<typeof toFinishBindings> & { attempts: number | null; heldBy: string | null },
  TurnState
>(
  'finish_tool_call',
  `WITH finished AS (
  UPDATE tool_calls SET status = :status, result = :result, result_content = :content::jsonb,
    result_bytes = :resultBytes,
    result_truncated = :resultTruncated, error = :error::jsonb, ended_at = clock_timestamp(),
    settle_state = CASE WHEN :status = 'unknown' AND effect IN ('keyed', 'idempotent')
      AND tool #>> '{settings,settleAfterMs}' IS NOT NULL THEN 'waiting' END
  WHERE id = :id AND status IN ('requested', 'started') AND attempts = coalesce(:attempts::int, attempts)
    AND (:heldBy::uuid IS NULL OR EXISTS (SELECT FROM turns t WHERE t.id = tool_calls.turn_id AND t.held_by = :heldBy::uuid))
  RETURNING id, conversation_id, turn_id, iteration, index, coalesce(target, name) AS name
), turn AS (
  SELECT t.id, ${callerSource('t')} FROM turns t JOIN finished ON finished.turn_id = t.id
), ${chargeCall({
    from: 'turn, finished',
    part: `'tool/' || finished.iteration || '/' || finished.index`,
    kind: 'tool',
    name: 'finished.name',
    where: ':credits::bigint IS NOT NULL',
  })}, added AS (
  UPDATE turns t SET credits = credits + :credits::bigint FROM finished
  WHERE t.id = finished.turn_id AND :credits::bigint > 0
), cancelled AS (
  UPDATE pending_actions a SET status = 'cancelled', decided_at = now()
  FROM finished WHERE a.tool_call_id = finished.id AND a.status = 'pending' RETURNING a.id
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, :auditType, id, :auditPayload::jsonb FROM finished
)
SELECT append_events(finished.conversation_id, turn_id, :events::jsonb, :characters::int), ${turnState('t')}
FROM finished JOIN turns t ON t.id = finished.turn_id CROSS JOIN (SELECT count(*) FROM cancelled) AS before`,
);

const listOpen = defineStatement<{ turnId: string; upToIteration: number }, ToolCallRow>(
  'list_open_tool_calls',
  `SELECT * FROM tool_calls WHERE turn_id = :turnId AND iteration <= :upToIteration
     AND status IN ('requested', 'started') ORDER BY iteration, index FOR UPDATE`,
);

const listOfIteration = defineStatement<{ turnId: string; iteration: number }, ToolCallRow>(
  'list_tool_calls_of_iteration',
  'SELECT * FROM tool_calls WHERE turn_id = :turnId AND iteration = :iteration ORDER BY index',
);
