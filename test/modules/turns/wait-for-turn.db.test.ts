import { expect, test } from 'vitest';
import { createWaitingTurnRepository } from '../../../src/modules/actions/waiting-turn-repository.ts';
import type { Database } from '../../../src/platform/database/connect-database.ts';
import { readTurn } from '../../../src/modules/turns/read-turn.ts';
import { submitTurn } from '../../../src/modules/turns/submit-turn.ts';
import { submitAndWait } from '../../../src/modules/turns/wait-for-turn.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createRecordedTurns } from '../../labs/recorded-turns.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

const timings = { pollMs: 60_000 };

function toSubmission({ conversationId }: RowRef, signal = new AbortController().signal) {
  return { turnId: newId(), conversationId, input: { message: 'Hello', onBusy: 'reject' as const }, signal };
}

/** Counts the transactions of one round trip. */
function countRoundTrips(database: Database) {
  const counter = { trips: 0 };
  const counted: Database = {
    ...database,
    pipelined: (workspaceId, run) => {
      counter.trips += 1;
      return database.pipelined(workspaceId, run);
    },
  };
  return { counter, database: counted };
}

/** Returns dependencies whose turns end as soon as they are started, and who is then told. */
function createEndingTurns(place: RowRef, toAnnounced: (turnId: string) => string[]) {
  const { counter, database } = countRoundTrips(rows.database);
  const recorded = createRecordedTurns(database, {
    timings,
    startTurn: async ({ turnId }) => {
      for (let event = 0; event < 5; event += 1) recorded.turns.notifier.events(place.conversationId);
      await rows.storeAnswer(place, createAnswer(turnId, { outcome: 'completed' }));
      for (const id of toAnnounced(turnId)) recorded.turns.notifier.events(id);
    },
  });
  return { ...recorded, counter };
}

test('a turn is read once, after its end was announced', async () => {
  const place = await rows.createConversation();
  const { turns, bells, counter } = createEndingTurns(place, (turnId) => [turnId]);
  const submission = toSubmission(place);
  const { accepted, turn } = await submitAndWait(turns, place, submission);

  expect(accepted).toBe(true);
  expect(turn).toMatchObject({ id: submission.turnId, outcome: 'completed', toolCalls: [] });
  // One stores the turn, and one reads it.
  expect(counter.trips).toBe(2);
  expect(bells.eventNames()).toEqual([]);
});

test('waiting ends for a turn whose end was not announced after an event of its conversation', async () => {
  const place = await rows.createConversation();
  const { turns } = createEndingTurns(place, () => []);

  expect((await submitAndWait(turns, place, toSubmission(place))).turn.outcome).toBe('completed');
});

test('waiting ends for a turn that waits for people', async () => {
  const place = await rows.createConversation();
  const recorded = createRecordedTurns(rows.database, {
    timings,
    startTurn: async ({ turnId }) => {
      await rows.database.transact(place.workspaceId, (query) =>
        createWaitingTurnRepository(query).beginWaiting(turnId, 1_000),
      );
      recorded.turns.notifier.events(place.conversationId);
    },
  });
  const { turn } = await submitAndWait(recorded.turns, place, toSubmission(place));

  expect(turn).toMatchObject({ status: 'waiting_for_approval', outcome: null, deadlineAt: null });
});

test('a turn that was submitted before is read at once', async () => {
  const place = await rows.createConversation();
  const { turns } = createRecordedTurns(rows.database, { timings });
  const submission = toSubmission(place);
  await submitTurn(turns, place, submission);
  await rows.storeAnswer(place, createAnswer(submission.turnId, { outcome: 'completed' }));

  expect(await submitAndWait(turns, place, submission)).toMatchObject({
    accepted: false,
    turn: { outcome: 'completed' },
  });
});

test('waiting ends at the deadline of the turn, and when the signal aborts', async () => {
  const short = await rows.createConversation({ turnTimeoutMs: 300 });
  const { turns } = createRecordedTurns(rows.database);
  const late = await submitAndWait(turns, short, toSubmission(short));
  const place = await rows.createConversation();
  const left = await submitAndWait(turns, place, toSubmission(place, AbortSignal.abort()));

  expect(Date.parse(late.turn.deadlineAt ?? '')).toBeLessThanOrEqual(Date.now());
  expect([late.turn.outcome, left.turn.outcome]).toEqual([null, null]);
});

test('a turn is read with its tool calls, in its own workspace only', async () => {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const answer = createAnswer(turn.id, { toolCalls: [createToolCall(0)], finishReason: 'tool_calls' });
  await rows.storeAnswer(place, answer);

  expect((await readTurn(rows, place, turn.id)).toolCalls).toMatchObject([
    { name: 'tool_0', status: 'requested' },
  ]);
  await expect(readTurn(rows, { workspaceId: newId() }, turn.id)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
