import type { AgentTurnInput } from '../../../contract/turn-steps.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { toTurnStart, type TurnStartRow } from '../turn-start.ts';
import { isNextInConversation, lockTurnSlots, runningTurns, turnWeight } from '../workspace-share.ts';

/** The turns of a workspace that wait: for a turn of their conversation, or for a place among those that run. */
export function createTurnQueue(query: Query) {
  return {
    /**
     * Lets the next queued turn of a conversation run where no turn runs. In a workspace that limits its running turns it
     * is the first one of the workspace, when there is a place: the turn that ends here leaves one. Answers the input of
     * its workflow.
     */
    promoteNextTurn: async (conversationId: string): Promise<AgentTurnInput | null> => {
      const [row] = await query(promoteNextTurn, { conversationId });
      return row ? toTurnStart(row) : null;
    },

    /** Lets the first turn that waits for a place run, when there is one; its statements are sent together. */
    promoteWaitingTurn: async (): Promise<AgentTurnInput | null> => {
      const [, [row]] = await Promise.all([
        query(lockTurnSlots, {}),
        query(promoteNextTurn, { conversationId: null }),
      ]);
      return row ? toTurnStart(row) : null;
    },
  };
}

/**
 * The turn of a conversation is chosen before it is locked: when another call promotes it, none is promoted here, and no later one
 * gets before it. Messages that were stored while the turn was queued come before it in the model's context; the messages of turns
 * that are still queued, its own included, do not, so that their characters are not counted in `characters_before`.
 */
const promoteNextTurn = defineStatement<{ conversationId: string | null }, TurnStartRow>(
  'promote_next_turn',
  `WITH place AS (
     SELECT (SELECT w.max_running_turns FROM workspaces w WHERE w.id = current_workspace()) AS most
   ), of_conversation AS (
     SELECT q.id FROM turns q WHERE q.status = 'queued' AND q.id = (
       SELECT o.id FROM turns o WHERE (SELECT most FROM place) IS NULL
         AND o.conversation_id = :conversationId::uuid AND o.status = 'queued' ORDER BY o.ordinal LIMIT 1)
     FOR UPDATE SKIP LOCKED
   ), of_workspace AS (
     SELECT q.id FROM turns q
     WHERE (SELECT CASE WHEN most IS NULL THEN false ELSE most > ${runningTurns('current_workspace()')} END FROM place)
       AND q.workspace_id = current_workspace() AND q.status = 'queued' AND q.parent_turn_id IS NULL
       AND ${isNextInConversation('q')}
     ORDER BY q.priority, q.created_at LIMIT 1 FOR UPDATE SKIP LOCKED
   ), turn AS (
     UPDATE turns t SET status = 'running', started_at = now(),
       deadline_at = now() + make_interval(secs => t.timeout_ms / 1000.0),
       characters_before = (SELECT characters FROM conversations c WHERE c.id = t.conversation_id)
         - (SELECT sum(length(m.text)) FROM turns q JOIN messages m ON m.turn_id = q.id
            AND m.conversation_id = q.conversation_id AND m.turn_ordinal = q.ordinal
            WHERE q.conversation_id = t.conversation_id AND q.status = 'queued')
     FROM (SELECT id FROM of_conversation UNION ALL SELECT id FROM of_workspace) next
     WHERE t.id = next.id AND NOT EXISTS (SELECT FROM turns o WHERE o.conversation_id = t.conversation_id
         AND o.status IN ('running', 'waiting_for_approval'))
     RETURNING t.*
   ), message AS (
     SELECT left(m.text, 2000) AS text FROM messages m, turn
     WHERE m.conversation_id = turn.conversation_id AND m.turn_ordinal = turn.ordinal AND m.iteration = 0
   ), logged AS (
     SELECT append_events(conversation_id, turn.id, jsonb_build_array(jsonb_build_object('type', 'message.promoted',
       'payload', jsonb_build_object('messageId', turn.message_id)), jsonb_build_object(
       'type', 'turn.started', 'payload', jsonb_build_object('message', message.text))), 0) FROM turn, message
   )
   SELECT turn.*, v.name AS agent_name, v.model, v.execution, v.limits, ${turnWeight}, message.text AS message
   FROM turn JOIN agent_versions v ON v.id = turn.agent_version_id, message, logged`,
);
