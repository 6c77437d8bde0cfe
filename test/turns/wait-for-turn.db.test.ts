import { expect, test } from 'vitest';
import { readTurn } from '../../src/turns/read-turn.ts';
import { waitForTurn } from '../../src/turns/wait-for-turn.ts';
import { newId } from '../../src/lib/ids.ts';
import { createRecordedTurns } from '../labs/recorded-turns.ts';
import { openForTests } from '../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows } from '../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

test('waiting ends when a notification arrives after the end of the turn', async () => {
  const place = await rows.createConversation();
  const { turn } = await rows.submit(place);
  const { turns, bells } = createRecordedTurns(rows.database, { timings: { pollMs: 60_000 } });
  const waiting = waitForTurn(turns, place, { turn, signal: new AbortController().signal });
  await rows.storeAnswer(place, createAnswer(turn.id, { outcome: 'completed' }));
  turns.notifier.events(place.conversationId);

  expect(await waiting).toMatchObject({ id: turn.id, outcome: 'completed', toolCalls: [] });
  expect(bells.listenerCount(place.conversationId)).toBe(0);
});

test('waiting ends at the deadline of the turn, and when the signal aborts', async () => {
  const place = await rows.createConversation({ turnTimeoutMs: 300 });
  const { turn } = await rows.submit(place);
  const { turns } = createRecordedTurns(rows.database);
  const late = await waitForTurn(turns, place, { turn, signal: new AbortController().signal });
  const left = await waitForTurn(turns, place, { turn, signal: AbortSignal.abort() });

  expect(Date.parse(late.deadlineAt ?? '')).toBeLessThanOrEqual(Date.now());
  expect([late.outcome, left.outcome]).toEqual([null, null]);
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
