import { toStorableJson } from '../../domain/storable.ts';
import type { Turn } from '../../domain/turn.ts';
import { isSettled } from '../../domain/turn-status.ts';
import { newId } from '../../platform/lib/ids.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { notifyOfEnd, insertedDeliveries } from '../../platform/outbox/notify-webhooks.ts';
import { lockTurnRow, toTurn, turnNotFound, type TurnRow } from './turn-rows.ts';

/** Names one turn, or all turns that were started by one. */
export type TopTurns = { id: string; parentId?: never } | { id?: never; parentId: string };

/** A turn whose cancellation is noted. */
export interface CancelRequested {
  turn: Turn;
  /** Whether its workflow has yet to stop; false when the turn has ended. */
  running: boolean;
  /** The turns whose running steps should stop now: this one, and those that its tool calls wait for. */
  stopping: string[];
}

const answer = 'The turn was cancelled before it began.';

/**
 * Notes that a turn should stop. A queued turn ends at once, unless the turn that runs has its message; a running one is
 * stopped by its workflow.
 * Its statements depend on each other.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function requestCancel(query: Query, turnId: string): Promise<CancelRequested> {
  const [row] = await query(lockTurnRow, { turnId });
  if (!row) throw turnNotFound(turnId);
  const turn = toTurn(row);
  if (isSettled(row.status)) return { turn, running: false, stopping: [] };
  if (row.status !== 'queued') {
    return { turn, running: true, stopping: await requestCancelOfTree(query, { id: turnId }) };
  }
  const taken = await query(noteTakenCancelled, { turnId });
  if (taken.length > 0) return { turn, running: true, stopping: [] };
  const [cancelled] = await query(cancelQueuedTurn, toCancelBindings(turn));
  return { turn: toTurn(cancelled ?? row), running: false, stopping: [] };
}

/** Notes that unfinished turns and all turns below them should stop; answers their ids. */
export async function requestCancelOfTree(query: Query, top: TopTurns): Promise<string[]> {
  const rows = await query(cancelTree, { id: top.id ?? null, parentId: top.parentId ?? null });
  return rows.map(({ id }) => id);
}

function toCancelBindings({ id, iterations, usage }: Turn) {
  const payload = { outcome: 'cancelled', answer, error: null, iterations, usage };
  const events = toStorableJson([{ type: 'turn.settled', payload }]);
  return { turnId: id, answer, messageId: newId(), events };
}

const cancelQueuedTurn = defineStatement<ReturnType<typeof toCancelBindings>, TurnRow>(
  'cancel_queued_turn',
  `WITH turn AS (
     UPDATE turns SET status = 'cancelled', answer = :answer, settled_at = now() WHERE id = :turnId RETURNING *
   ), message AS (
     INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
     SELECT :messageId::uuid, conversation_id, id, ordinal, 1, 'assistant', :answer FROM turn
   ), logged AS (
     SELECT append_events(conversation_id, id, :events::jsonb, 0) FROM turn
   ), ${notifyOfEnd()}
   SELECT turn.*, ${insertedDeliveries} FROM turn, logged`,
);

/**
 * A model call of another turn has the message already. The queued turn is stopped at its first step when that turn ends
 * without the answer.
 */
const noteTakenCancelled = defineStatement<{ turnId: string }, { id: string }>(
  'note_taken_turn_cancelled',
  `UPDATE turns q SET cancel_requested_at = coalesce(q.cancel_requested_at, now()) FROM turns t
   WHERE q.id = :turnId AND q.status = 'queued' AND t.id = q.taken_by AND t.status = 'running' RETURNING q.id`,
);

const cancelTree = defineStatement<{ id: string | null; parentId: string | null }, { id: string }>(
  'request_cancel_of_tree',
  `WITH RECURSIVE tree AS (
     SELECT id FROM turns WHERE id = :id::uuid OR parent_turn_id = :parentId::uuid
     UNION ALL
     SELECT t.id FROM turns t JOIN tree ON t.parent_turn_id = tree.id
   )
   UPDATE turns t SET cancel_requested_at = coalesce(cancel_requested_at, now()) FROM tree
   WHERE t.id = tree.id AND t.status IN ('running', 'waiting_for_approval') RETURNING t.id`,
);
