import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createSweepRepository } from '../../../src/modules/turns/turn-sweep-repository.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);
let sweep: ReturnType<typeof createSweepRepository>;
let place: RowRef;

beforeAll(() => {
  sweep = createSweepRepository(rows.database.system);
});

beforeEach(async () => {
  place = await rows.createConversation();
});

/** A running turn that began so many seconds ago, with so many seconds left. */
async function addTurn(startedAgo: number, leftSeconds: number, startSeen = false): Promise<string> {
  const at = await rows.createConversation({}, place.workspaceId);
  const { turn } = await rows.submit(at);
  const { system } = rows.database;
  await system('turns')
    .where({ id: turn.id })
    .update({
      started_at: new Date(Date.now() - startedAgo * 1000),
      deadline_at: new Date(Date.now() + leftSeconds * 1000),
      start_seen: startSeen,
    });
  return turn.id;
}

async function takeSuspects() {
  const suspects = await sweep.takeSuspects({ graceMs: 5_000, limit: 1000 });
  return suspects.filter(({ workspaceId }) => workspaceId === place.workspaceId);
}

test('turns past their deadline, and turns whose workflow was not seen yet, are suspect', async () => {
  const fresh = await addTurn(1, 100);
  const unseen = await addTurn(10, 100);
  const seen = await addTurn(10, 100, true);
  const overdue = await addTurn(200, -60, true);
  const suspects = await takeSuspects();

  expect(new Map(suspects.map((suspect) => [suspect.id, suspect.overdue]))).toEqual(
    new Map([
      [overdue, true],
      [unseen, false],
    ]),
  );
  expect([fresh, seen].filter((id) => suspects.some((suspect) => suspect.id === id))).toEqual([]);
});

test('a turn whose workflow was seen is not suspect before its deadline', async () => {
  const turnId = await addTurn(10, 100);
  await sweep.markStartSeen(turnId);

  expect(await takeSuspects()).toEqual([]);
});

test('a restarted turn has its whole time, and one restart more is counted', async () => {
  const turnId = await addTurn(200, -60);
  await sweep.markRestarted({ id: turnId, wasLost: true });
  const row = await rows.database
    .system('turns')
    .where({ id: turnId })
    .first<{ restarts: number; deadline_at: Date }>('restarts', 'deadline_at');

  expect(row.restarts).toBe(1);
  expect(row.deadline_at.getTime()).toBeGreaterThan(Date.now());
});

test('a queue is stalled when turns wait and none runs', async () => {
  const listMine = async () => {
    const queues = await sweep.listStalledQueues(1000);
    return queues.filter(({ workspaceId }) => workspaceId === place.workspaceId);
  };
  const { turn } = await rows.submit(place);
  await rows.submit(place, { onBusy: 'enqueue' });
  await rows.submit(place, { onBusy: 'enqueue' });
  expect(await listMine()).toEqual([]);
  await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));

  expect(await listMine()).toEqual([
    { workspaceId: place.workspaceId, conversationId: place.conversationId },
  ]);
});
