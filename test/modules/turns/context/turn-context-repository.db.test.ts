import { describe, expect, test } from 'vitest';
import {
  createToolCallRepository,
  type ToolCallEnd,
} from '../../../../src/modules/turns/calls/tool-call-repository.ts';
import { createTurnAnswerRepository } from '../../../../src/modules/turns/turn-answer-repository.ts';
import { createTurnContextRepository } from '../../../../src/modules/turns/context/turn-context-repository.ts';
import { openChunkWriter } from '../../../labs/write-chunk.ts';
import { compactRows } from '../../../labs/compact-rows.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { createAnswer, createToolCall, openTurnRows, type RowRef } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

function listContext({ workspaceId }: RowRef, turnId: string, afterOrdinal = 0) {
  return rows.database.transact(workspaceId, (query) =>
    createTurnContextRepository(query).listContext(turnId, { iteration: 1, afterOrdinal }),
  );
}

async function listTexts(place: RowRef, turnId: string): Promise<string[]> {
  return (await listContext(place, turnId)).map(({ text }) => text.slice(0, 2));
}

/** A finished turn whose message and answer have so many characters each. */
async function addTurn(place: RowRef, name: string, characters: number): Promise<void> {
  const { turn } = await rows.submit(place, { message: `${name}?`.padEnd(characters, '.') });
  const text = `${name}!`.padEnd(characters, '.');
  await rows.storeAnswer(place, createAnswer(turn.id, { text, outcome: 'completed' }));
}

describe('the context of a model call', () => {
  test('holds everything that fits, oldest first', async () => {
    const place = await rows.createConversation();
    await addTurn(place, 'a', 10);
    await addTurn(place, 'b', 10);
    const { turn } = await rows.submit(place, { message: 'c?' });

    expect(await listTexts(place, turn.id)).toEqual(['a?', 'a!', 'b?', 'b!', 'c?']);
  });

  test('holds the turns after those that a compaction has left out, from the model call of that compaction on', async () => {
    const place = await rows.createConversation();
    await addTurn(place, 'a', 10);
    await addTurn(place, 'b', 10);
    const { turn: third } = await rows.submit(place, { message: 'c?' });
    const start = { throughOrdinal: 1, throughOffset: 0, referencesThrough: 0, summaryId: null };
    const compact = () =>
      compactRows(rows.database, place.workspaceId, { turnId: third.id, iteration: 2, start });
    expect(await compact()).toBe(true);
    expect(await compact()).toBe(false);

    expect(await listTexts(place, third.id)).toEqual(['a?', 'a!', 'b?', 'b!', 'c?']);
    await rows.storeAnswer(place, createAnswer(third.id, { text: 'c!', outcome: 'completed' }));
    const { turn } = await rows.submit(place, { message: 'd?' });
    expect(await listTexts(place, turn.id)).toEqual(['b?', 'b!', 'c?', 'c!', 'd?']);
  });

  test('holds only the messages after a known turn, and at least the turn itself', async () => {
    const place = await rows.createConversation();
    await addTurn(place, 'a', 10);
    await addTurn(place, 'b', 10);
    const { turn } = await rows.submit(place, { message: 'c?' });
    const listAfter = async (ordinal: number) =>
      (await listContext(place, turn.id, ordinal)).map(({ text }) => text.slice(0, 2));

    expect(await listAfter(1)).toEqual(['b?', 'b!', 'c?']);
    expect(await listAfter(2)).toEqual(['c?']);
  });

  test('holds no turns that are queued behind it', async () => {
    const place = await rows.createConversation();
    await addTurn(place, 'a', 20);
    const { turn } = await rows.submit(place, { message: 'b?' });
    await rows.submit(place, { message: 'c?', onBusy: 'enqueue' });
    await rows.submit(place, { message: 'd?', onBusy: 'enqueue' });

    expect(await listTexts(place, turn.id)).toEqual(['a?', 'a!', 'b?']);
  });

  test('of a turn that was queued holds the messages stored meanwhile', async () => {
    const place = await rows.createConversation();
    const { turn: first } = await rows.submit(place, { message: 'a?' });
    const waiting = [];
    for (const name of ['b', 'c', 'd']) {
      waiting.push((await rows.submit(place, { message: `${name}?`, onBusy: 'enqueue' })).turn);
    }
    await endAndPromote(place, first.id, 'a!'.padEnd(800, '.'));
    for (const [index, turn] of waiting.entries()) {
      const expected = [
        ['a?', 'a!', 'b?'],
        ['a?', 'a!', 'b?', 'b!', 'c?'],
        ['a?', 'a!', 'b?', 'b!', 'c?', 'c!', 'd?'],
      ];
      expect(await listTexts(place, turn.id)).toEqual(expected[index]);
      await endAndPromote(place, turn.id, `${'bcd'[index] ?? ''}!`.padEnd(800, '.'));
    }
  });

  test('holds each call with its outcome, and no more of a result than a model is given', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    const toolCalls = [0, 1, 2, 3].map((index) => createToolCall(index));
    await rows.storeAnswer(place, createAnswer(turn.id, { toolCalls, finishReason: 'tool_calls' }));
    const [done, failed, unknown] = toolCalls.map(({ id }) => id);
    await finish(place, {
      id: done ?? '',
      status: 'succeeded',
      result: 'x'.repeat(40_000),
      resultBytes: 40_000,
    });
    await finish(place, {
      id: failed ?? '',
      status: 'failed',
      error: { code: 'TOOL_FAILED', message: 'No.' },
    });
    await finish(place, {
      id: unknown ?? '',
      status: 'unknown',
      error: { code: 'TOOL_OUTCOME_UNKNOWN', message: 'Who knows.' },
    });
    const [, answer] = await listContext(place, turn.id);

    expect(answer?.toolCalls).toMatchObject([
      { id: done, status: 'succeeded', result: 'x'.repeat(32_768), resultBytes: 40_000, error: null },
      { id: failed, status: 'failed', result: null, error: { code: 'TOOL_FAILED' } },
      { id: unknown, status: 'unknown', result: null, error: { code: 'TOOL_OUTCOME_UNKNOWN' } },
      { status: 'requested', result: null, error: null },
    ]);
  });
});

async function endAndPromote(place: RowRef, turnId: string, text: string): Promise<void> {
  await rows.storeAnswer(place, createAnswer(turnId, { text, outcome: 'completed' }));
  await rows.database.transact(place.workspaceId, (query) =>
    createTurnAnswerRepository(query).promoteNextTurn(place.conversationId),
  );
}

async function finish({ workspaceId }: RowRef, end: Omit<ToolCallEnd, 'event' | 'audit'>): Promise<void> {
  const payload = {
    toolCallId: end.id,
    iteration: 1,
    index: 0,
    name: 'tool',
    durationMs: 0,
    resultPreview: '',
  };
  await rows.database.transact(workspaceId, (query) =>
    createToolCallRepository(query).finish({
      ...end,
      event: { type: 'tool.executed', payload },
      audit: { type: 'tool.executed', payload: {} },
    }),
  );
}

describe('the state of a step', () => {
  function findStep({ workspaceId }: RowRef, turnId: string, iteration: number) {
    return rows.database.transact(workspaceId, (query) =>
      createTurnContextRepository(query).findStep(turnId, iteration),
    );
  }

  test('tells whether the answer of the step is stored', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    await rows.storeAnswer(place, createAnswer(turn.id, { text: 'Stored' }));

    expect(await findStep(place, turn.id, 1)).toMatchObject({
      status: 'running',
      stored: { text: 'Stored', finishReason: 'stop', usage: { inputTokens: 3 } },
    });
    expect(await findStep(place, turn.id, 2)).toMatchObject({ stored: null, usage: { inputTokens: 3 } });
  });

  test('names the attempt that has streamed in this iteration, and none of another iteration', async () => {
    const place = await rows.createConversation();
    const { turn } = await rows.submit(place);
    const write = openChunkWriter(rows.database);
    const position = { conversationId: place.conversationId, turnId: turn.id, iteration: 2, text: 'x' };
    expect(await findStep(place, turn.id, 2)).toMatchObject({ streamedAttempt: 0 });
    await write({ ...position, attempt: 1 });
    await write({ ...position, attempt: 2 });

    expect(await findStep(place, turn.id, 2)).toMatchObject({ streamedAttempt: 2 });
    expect(await findStep(place, turn.id, 3)).toMatchObject({ streamedAttempt: 0 });
  });

  test('is not found for an unknown turn, or for one of another workspace', async () => {
    const place = await rows.createConversation();
    const other = await rows.createConversation();
    const { turn } = await rows.submit(place);

    expect(await findStep(other, turn.id, 1)).toBeNull();
  });
});
