import { defineStatement } from '../../platform/database/statement.ts';

/**
 * An expression: the number of turns of a workspace that run. Turns that other turns have started do not count, nor do those
 * that only host the calls of a routine: they have no deadline.
 */
export function runningTurns(workspaceId: string): string {
  return `(SELECT count(*) FROM turns r
    WHERE r.workspace_id = ${workspaceId} AND r.status = 'running' AND r.parent_turn_id IS NULL
      AND r.deadline_at IS NOT NULL)`;
}

/** A condition: a queued turn with the given alias waits for no other turn of its conversation. */
export function isNextInConversation(turn: string): string {
  return `NOT EXISTS (SELECT FROM turns o WHERE o.conversation_id = ${turn}.conversation_id
      AND o.status IN ('running', 'waiting_for_approval'))
    AND NOT EXISTS (SELECT FROM turns o WHERE o.conversation_id = ${turn}.conversation_id
      AND o.status = 'queued' AND o.ordinal < ${turn}.ordinal)`;
}

/** An expression: the weight of the workspace, which its turns get. */
export const turnWeight =
  '(SELECT w.turn_weight FROM workspaces w WHERE w.id = current_workspace()) AS turn_weight';

/**
 * A query that locks the places among the running turns of a workspace that limits them, until the transaction ends. It
 * comes before the lock of a conversation, so that no two transactions wait for each other.
 */
export const lockTurnSlotsSql = `SELECT pg_advisory_xact_lock(hashtextextended('turns ' || w.id, 0)) FROM workspaces w
   WHERE w.id = current_workspace() AND w.max_running_turns IS NOT NULL`;

/** As a statement. */
export const lockTurnSlots = defineStatement<Record<string, never>, unknown>(
  'lock_places_of_turns',
  lockTurnSlotsSql,
);
