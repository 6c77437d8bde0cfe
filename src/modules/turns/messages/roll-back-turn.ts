import { HoldfastError } from '../../../domain/errors.ts';
import type { ToolCallStatus } from '../../../domain/turn.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { requestCancelOfTree } from '../request-cancel.ts';
import type { OpenTurn } from './steering-repository.ts';

/**
 * Cancels a turn, and hides it from the turns that follow. The ledger and the audit log keep it. Calls that have not
 * begun are skipped in the same transaction, so that none begins after the check for calls that changed something.
 * Answers the turns whose steps should stop.
 * @throws HoldfastError `ROLLBACK_REFUSED` when a call that was not read-only ran, or runs, without `isConfirmed`
 */
export async function rollBackTurn(
  query: Query,
  { id }: OpenTurn,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<string[]> {
  const turnIds = await requestCancelOfTree(query, { id });
  await query(skipRequested, { turnIds: JSON.stringify(turnIds) });
  const effects = await query(listEffects, { turnId: id });
  if (effects.length > 0 && !isConfirmed) throw createRefusal(id, effects);
  await query(hideRunningTurn, { turnId: id });
  return turnIds;
}

interface Effect {
  id: string;
  name: string;
  status: ToolCallStatus;
}

function createRefusal(turnId: string, effects: Effect[]): HoldfastError {
  const names = effects.map(({ name, status }) => `${name} (${status})`).join(', ');
  return new HoldfastError(
    'ROLLBACK_REFUSED',
    `The turn has called tools that change something: ${names}. Send "confirmRollback": true to hide it all the same, ` +
      'or "onBusy": "interrupt" to keep what was said.',
    { details: { turnId, toolCalls: effects.map((effect) => ({ ...effect })) } },
  );
}

const skipRequested = defineStatement<{ turnIds: string }, unknown>(
  'skip_requested_calls',
  `UPDATE tool_calls SET status = 'skipped', ended_at = clock_timestamp(),
     error = jsonb_build_object('code', 'TOOL_SKIPPED', 'message', 'The turn was rolled back before the call began.')
   WHERE turn_id = ANY (ARRAY(SELECT jsonb_array_elements_text(:turnIds::jsonb)::uuid)) AND status = 'requested'`,
);

/** The call of another agent has the effects of the calls in its turn. */
const listEffects = defineStatement<{ turnId: string }, Effect>(
  'list_effects_of_turn',
  `WITH RECURSIVE tree AS (
     SELECT id FROM turns WHERE id = :turnId
     UNION ALL SELECT t.id FROM turns t JOIN tree ON t.parent_turn_id = tree.id
   )
   SELECT c.id, c.name, c.status FROM tool_calls c JOIN tree ON tree.id = c.turn_id
   WHERE c.effect <> 'read_only' AND c.status IN ('started', 'succeeded', 'unknown') AND c.answered_by IS NULL
     AND c.tool ->> 'type' IS DISTINCT FROM 'agent'
   ORDER BY c.id LIMIT 20`,
);

const hideRunningTurn = defineStatement<{ turnId: string }, unknown>(
  'hide_running_turn',
  `WITH turn AS (
     UPDATE turns SET rolled_back = true WHERE id = :turnId RETURNING conversation_id, ordinal
   )
   UPDATE conversations c SET hidden_ordinals = c.hidden_ordinals || turn.ordinal FROM turn
   WHERE c.id = turn.conversation_id`,
);

/** Leaves the characters of a turn that was rolled back, which have been counted while it ran, out of its conversation. */
export const uncountTurn = defineStatement<{ turnId: string }, unknown>(
  'uncount_turn',
  `UPDATE conversations c SET characters = t.characters_before + (
     SELECT coalesce(sum(length(m.text)), 0) FROM turns q
     JOIN messages m ON m.conversation_id = q.conversation_id AND m.turn_ordinal = q.ordinal
     WHERE q.conversation_id = c.id AND q.status = 'queued')
   FROM turns t WHERE t.id = :turnId AND t.rolled_back AND c.id = t.conversation_id`,
);
