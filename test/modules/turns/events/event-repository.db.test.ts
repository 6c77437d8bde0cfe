import { expect, test } from 'vitest';
import {
  createEventRepository,
  type EventQuery,
} from '../../../../src/modules/turns/events/event-repository.ts';
import { openChunkWriter } from '../../../labs/write-chunk.ts';
import {
  createStreamChunkRepository,
  type StreamPart,
} from '../../../../src/modules/turns/events/stream-chunk-repository.ts';
import type { NewEvent } from '../../../../src/domain/event.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { fewTokens as usage } from '../../../labs/few-tokens.ts';
import { playTurn } from '../../../labs/played-turn.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);

function listEvents(query: EventQuery) {
  const { database, ownId } = workspaces;
  return database.pipelined(ownId, (run) => createEventRepository(run).listEvents(query));
}

function readStream(part: StreamPart, workspaceId = workspaces.ownId) {
  return workspaces.database.pipelined(workspaceId, (run) =>
    createStreamChunkRepository(run).readStream(part),
  );
}

function message(iteration: number): NewEvent {
  const payload = { messageId: newId(), iteration, text: 'Hi', model: 'demo', usage, toolCalls: [] };
  return { type: 'message.created', payload };
}

const settled: NewEvent = {
  type: 'turn.settled',
  payload: { outcome: 'completed', answer: 'Hi', error: null, iterations: 1, usage },
};

test('events are numbered without a gap, also when several are appended at once', async () => {
  const { conversationId, append } = await playTurn(workspaces);
  await Promise.all([append(message(1), message(2)), append(message(3)), append(message(4), message(5))]);
  const events = await listEvents({ conversationId, afterSeq: 0, limit: 100 });
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(events[0]).toMatchObject({ type: 'turn.started', payload: { message: 'Hello' } });
});

test('the log is listed after a position and up to a limit, for one turn or for all', async () => {
  const { conversationId, turnId, append } = await playTurn(workspaces);
  await append(message(1), message(2), message(3));
  const list = (query: { turnId?: string }) =>
    listEvents({ conversationId, afterSeq: 1, limit: 2, ...query });
  expect((await list({})).map(({ seq }) => seq)).toEqual([2, 3]);
  expect((await list({ turnId })).map(({ seq }) => seq)).toEqual([2, 3]);
  expect(await list({ turnId: newId() })).toEqual([]);
});

test('the end of a turn is found once it is stored', async () => {
  const { conversationId, turnId, append } = await playTurn(workspaces);
  const find = (source: { conversationId: string; turnId?: string }) =>
    workspaces.database.pipelined(workspaces.ownId, (run) => createEventRepository(run).findLogEnd(source));
  expect(await find({ conversationId, turnId })).toEqual({ lastSeq: 1, settledSeq: null });
  await append(settled);
  expect(await find({ conversationId, turnId })).toEqual({ lastSeq: 2, settledSeq: 2 });
  expect(await find({ conversationId })).toEqual({ lastSeq: 2, settledSeq: null });
  expect(await find({ conversationId: newId(), turnId })).toBeNull();
});

test('chunks are void once their message was read, or when they were written after it', async () => {
  const { conversationId, turnId, append } = await playTurn(workspaces);
  const write = openChunkWriter(workspaces.database);
  const place = { conversationId, turnId, attempt: 1 };
  await write({ ...place, iteration: 1, text: 'a' });
  await append(message(1));
  await write({ ...place, iteration: 1, text: 'late' });
  await write({ ...place, iteration: 2, text: 'b' });
  const read = async (afterSeq: number) => {
    const query = { conversationId, afterSeq, afterChunkId: 0, mostEvents: 10, mostChunks: 10 };
    const { chunks } = await readStream(query);
    return chunks.map(({ finished }) => finished);
  };
  expect(await read(0)).toEqual([false, true, false]);
  expect(await read(2)).toEqual([true, true, false]);
});

test('events and chunks are not visible in another workspace', async () => {
  const { conversationId, turnId } = await playTurn(workspaces);
  const write = openChunkWriter(workspaces.database);
  await write({ conversationId, turnId, iteration: 1, attempt: 1, text: 'a' });
  const query = { conversationId, afterSeq: 0, afterChunkId: 0, mostEvents: 10, mostChunks: 10 };
  expect(await readStream(query, workspaces.foreignId)).toEqual({ events: [], chunks: [] });
  expect((await readStream(query)).chunks).toHaveLength(1);
});
