import { expect, test } from 'vitest';
import { cancelTurn, cancelTurns } from '../../../src/modules/turns/cancel-turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createRecordedTurns } from '../../labs/recorded-turns.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

/** A running turn, its child turn, and the child of that. */
async function startTree() {
  const place = await rows.createConversation();
  const { turn: top } = await rows.submit(place);
  const ids = [top.id];
  for (const parentId of ids) {
    if (ids.length === 3) break;
    const below = await rows.createConversation({}, place.workspaceId);
    const { turn } = await rows.submit(below);
    await rows.database.system('turns').where({ id: turn.id }).update({ parent_turn_id: parentId });
    ids.push(turn.id);
  }
  const [, childId = '', grandchildId = ''] = ids;
  return { place, top, childId, grandchildId };
}

test('cancelling a running turn stops the steps of all its child turns, and the workflow of the topmost turn', async () => {
  const { place, top, childId, grandchildId } = await startTree();
  const { turns, calls } = createRecordedTurns(rows.database);
  const cancelled = await cancelTurn(turns, place, top.id);

  expect(cancelled).toEqual({ running: true, turn: top });
  expect(calls.stopped.toSorted()).toEqual([top.id, childId, grandchildId].toSorted());
  expect(calls.cancelled).toEqual([top.id]);
});

test('cancelling turns without a waiting caller stops their steps and all their workflows', async () => {
  const { place, top, childId, grandchildId } = await startTree();
  const { turns, calls } = createRecordedTurns(rows.database);
  await cancelTurns(turns, place, { parentId: top.id });

  expect(calls.stopped.toSorted()).toEqual([childId, grandchildId].toSorted());
  expect(calls.cancelled.toSorted()).toEqual([childId, grandchildId].toSorted());
});

test('cancelling a queued turn ends it and wakes readers', async () => {
  const place = await rows.createConversation();
  await rows.submit(place);
  const { turn } = await rows.submit(place, { onBusy: 'enqueue' });
  const { turns, calls } = createRecordedTurns(rows.database);
  const cancelled = await cancelTurn(turns, place, turn.id);

  expect(cancelled).toMatchObject({ running: false, turn: { outcome: 'cancelled' } });
  expect(calls).toMatchObject({ notified: [place.conversationId], stopped: [], cancelled: [] });
});

test('a failed cancel of the workflow is logged, and the cancel request stays stored', async () => {
  const { place, top, childId, grandchildId } = await startTree();
  const { turns, calls } = createRecordedTurns(rows.database, {
    cancelTurn: (turnId) => (turnId === childId ? Promise.reject(new Error('no engine')) : Promise.resolve()),
  });
  await cancelTurns(turns, place, { id: top.id });

  expect(calls.warnings).toMatchObject([{ turnId: childId }]);
  const noted = await rows.database
    .system('turns')
    .whereIn('id', [top.id, childId, grandchildId])
    .whereNotNull('cancel_requested_at');
  expect(noted).toHaveLength(3);
});

test('cancelling a turn of another workspace finds nothing', async () => {
  const { top } = await startTree();
  const other = await rows.createConversation();
  const { turns, calls } = createRecordedTurns(rows.database);

  await expect(cancelTurn(turns, other, top.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(cancelTurn(turns, other, newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await cancelTurns(turns, other, { id: top.id });
  expect(calls).toMatchObject({ stopped: [], cancelled: [] });
});
