import type { Knex } from 'knex';
import { isBudgeted } from '../../credits/credit-sql.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import {
  callApproval,
  type ClaimedToolCall,
  type ToolCallEnd,
  toFinishBindings,
} from './tool-call-repository.ts';
import { quarantinedTools } from '../turn-state.ts';

/** A call whose outcome is unknown and that is asked for again now. */
export interface UnsettledCall {
  id: string;
  workspaceId: string;
  /** The number of this attempt to settle it, from 1. */
  settleAttempts: number;
}

/** The shortest and the longest pause between two attempts to settle a call, in seconds: longer than an attempt takes. */
const leastPauseSeconds = 60;
const longestPauseSeconds = 3_600;

/** Calls of all workspaces that are to be settled, for the sweeper. */
export function createUnsettledCallSweepRepository(system: Knex) {
  return {
    /**
     * Takes calls whose turn has ended for long enough; the next attempt is due after a pause that grows with each. Calls of
     * deleted conversations, of turns with recorded results, and with an action other than a granted approval are left out.
     */
    takeDue: async (limit: number): Promise<UnsettledCall[]> => {
      const { rows } = await system.raw<{ rows: UnsettledCall[] }>(
        `WITH due AS (
          SELECT c.id, t.settled_at, (c.tool #>> '{settings,settleAfterMs}')::float8 / 1000 AS seconds
          FROM tool_calls c JOIN turns t ON t.id = c.turn_id JOIN conversations v ON v.id = c.conversation_id
          WHERE c.settle_state = 'waiting' AND c.status = 'unknown' AND t.settled_at IS NOT NULL
            AND t.recorded_from IS NULL AND v.deleted_at IS NULL
            AND coalesce(c.settle_at, t.settled_at
              + make_interval(secs => (c.tool #>> '{settings,settleAfterMs}')::float8 / 1000)) <= now()
            AND NOT EXISTS (SELECT FROM pending_actions a
              WHERE a.tool_call_id = c.id AND NOT (a.kind = 'approval' AND a.status = 'approved'))
          ORDER BY c.settle_at NULLS FIRST LIMIT :limit FOR UPDATE OF c SKIP LOCKED
        )
        UPDATE tool_calls c SET settle_attempts = c.settle_attempts + 1, attempts = c.attempts + 1,
          settle_at = now() + make_interval(secs => least(:longest::float8,
            greatest(:least::float8, due.seconds * 2 ^ c.settle_attempts)))
        FROM due WHERE c.id = due.id
        RETURNING c.id, c.workspace_id AS "workspaceId", c.settle_attempts AS "settleAttempts"`,
        { limit, least: leastPauseSeconds, longest: longestPauseSeconds },
      );
      return rows;
    },
  };
}

export type UnsettledCallSweepRepository = ReturnType<typeof createUnsettledCallSweepRepository>;

/** Calls of a workspace that are to be settled. */
export function createUnsettledCallRepository(query: Query) {
  return {
    /** Finds a call to ask for again, with its approval; null when it was settled meanwhile. */
    find: async (id: string): Promise<ClaimedToolCall | null> => {
      const [row] = await query(find, { id });
      return row ?? null;
    },

    /**
     * Stores the outcome of a call that was asked for again, or that it stays unknown for good, with its event and its audit
     * event. Returns false when it was settled before.
     */
    settle: async (end: ToolCallEnd): Promise<boolean> => {
      const state = end.status === 'succeeded' ? 'settled' : 'given_up';
      const rows = await query(settle, { ...toFinishBindings(end), state });
      return rows.length > 0;
    },
  };
}

export type UnsettledCallRepository = ReturnType<typeof createUnsettledCallRepository>;

/** The error of the unknown outcome is left out, since it is no refusal of this attempt. */
const find = defineStatement<{ id: string }, ClaimedToolCall>(
  'find_unsettled_call',
  `SELECT c.*, NULL::jsonb AS error, 'started' AS status_before, false AS cancel_requested, false AS steering, true AS runs,
    false AS ends_turn, t.agent_id, t.agent_version_id, t.rule_sources, ${quarantinedTools('t')} AS quarantined,
    ${callApproval}, NULL AS requests,
    (SELECT w.approval FROM workspaces w WHERE w.id = c.workspace_id) AS workspace_approval, ${isBudgeted} AS budgeted
   FROM tool_calls c JOIN turns t ON t.id = c.turn_id
     LEFT JOIN pending_actions a ON a.tool_call_id = c.id AND a.kind = 'approval'
   WHERE c.id = :id AND c.status = 'unknown' AND c.settle_state = 'waiting'`,
);

type SettleBindings = ReturnType<typeof toFinishBindings> & { state: string };

/** The call was charged when its outcome became unknown. */
const settle = defineStatement<SettleBindings, { id: string }>(
  'settle_unknown_call',
  `WITH settled AS (
  UPDATE tool_calls SET status = :status, result = :result, result_content = :content::jsonb,
    result_bytes = :resultBytes, result_truncated = :resultTruncated, error = :error::jsonb, settle_state = :state,
    settle_at = NULL
  WHERE id = :id AND status = 'unknown' AND settle_state = 'waiting' RETURNING id, conversation_id, turn_id
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, :auditType, id, :auditPayload::jsonb FROM settled
)
SELECT id, append_events(conversation_id, turn_id, :events::jsonb, :characters::int) FROM settled`,
);
