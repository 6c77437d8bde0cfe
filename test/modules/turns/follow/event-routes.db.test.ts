import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBatchReader, type BatchReader } from '../../../../src/modules/turns/follow/batch-reader.ts';
import type { Database } from '../../../../src/platform/database/connect-database.ts';
import { toFrames } from '../../../../src/modules/turns/events/events-http-answer.ts';
import { followTurn } from '../../../../src/modules/turns/follow/follow-turn.ts';
import { openConversation, startApi, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { openStream, readStream } from '../../../labs/sse-reader.ts';
import { createTurnPlayer } from '../../../labs/turn-player.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

async function playTurn(settled = true) {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const player = createTurnPlayer(api, { conversationId, turnId });
  await player.chunk(1, 'I will ');
  await player.chunk(1, 'calculate.');
  await player.message(1, 'I will calculate.');
  await player.tool(1);
  await player.chunk(2, 'Fo');
  await player.chunk(2, null, 2);
  await player.chunk(2, 'It is ', 2);
  // A piece of an abandoned attempt, which readers must not see.
  await player.chunk(2, 'ur', 1);
  await player.chunk(2, 'four.', 2);
  await player.message(2, 'It is four.');
  await player.chunk(2, 'late', 2);
  if (settled) await player.settle('It is four.');
  return { conversationId, turnId, player };
}

const wholeTurn = [
  'turn.started',
  'text.delta',
  'text.delta',
  'message.created',
  'tool.started',
  'tool.executed',
  'text.delta',
  'stream.reset',
  'text.delta',
  'text.delta',
  'message.created',
  'turn.settled',
];

test('a turn streams its chunks and events in order, and the stream ends with the turn', async () => {
  const { turnId } = await playTurn();
  const frames = await readStream(api, `/api/turns/${turnId}/events`);
  expect(frames.map(({ event }) => event)).toEqual(wholeTurn);
  const texts = frames.flatMap(({ data }) => (data.type === 'text.delta' ? [data.text] : []));
  expect(texts).toEqual(['I will ', 'calculate.', 'Fo', 'It is ', 'four.']);
  for (const { event, data } of frames) expect(data.type).toBe(event);
});

test('a stream that is cut at any event resumes with the next, with none missing and none twice', async () => {
  const { turnId } = await playTurn();
  const path = `/api/turns/${turnId}/events`;
  const whole = await readStream(api, path);
  for (const [index, { id }] of whole.slice(0, -1).entries()) {
    const byHeader = await readStream(api, path, { 'last-event-id': id });
    expect(byHeader).toEqual(whole.slice(index + 1));
    const byAddress = await readStream(api, `${path}?after=${id}`);
    expect(byAddress).toEqual(whole.slice(index + 1));
  }
});

test('a reader that is disconnected after every event while the turn runs gets the whole log', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const player = createTurnPlayer(api, { conversationId, turnId });
  const steps: (() => Promise<unknown>)[] = [
    () => player.chunk(1, 'a'),
    () => player.chunk(1, null, 2),
    () => player.chunk(1, 'b', 2),
    () => player.message(1, 'b'),
    () => player.tool(1),
    () => player.chunk(2, 'c'),
    () => player.message(2, 'c'),
    () => player.settle('c'),
  ];
  const steady = readStream(api, `/api/turns/${turnId}/events`);
  const seen: unknown[] = [];
  let lastEventId = '0.0';
  let done = false;
  const cut = (async () => {
    while (!done) {
      const stream = await openStream(api, `/api/turns/${turnId}/events`, { 'last-event-id': lastEventId });
      const { value } = await stream.next();
      await stream.return(undefined);
      if (!value) break;
      seen.push(value);
      lastEventId = value.id;
      done = value.event === 'turn.settled';
    }
  })();
  for (const step of steps) await step();
  await cut;
  expect(seen).toEqual(await steady);
});

test('a reader that has all events of a turn gets 204', async () => {
  const { turnId } = await playTurn();
  const whole = await readStream(api, `/api/turns/${turnId}/events`);
  const headers = { 'last-event-id': whole.at(-1)?.id ?? '' };
  expect((await api.call('GET', `/api/turns/${turnId}/events`, { headers })).status).toBe(204);
});

test('a conversation streams all its turns and continues with a new one', async () => {
  const { conversationId } = await playTurn();
  const stream = await openStream(api, `/api/conversations/${conversationId}/events`);
  const types: string[] = [];
  while (types.length < wholeTurn.length) types.push((await stream.next()).value?.event ?? 'end');
  expect(types).toEqual(wholeTurn);
  const next = stream.next();
  await startTurn(api, conversationId, 'And now?');
  expect((await next).value?.data).toMatchObject({ type: 'turn.started', payload: { message: 'And now?' } });
  await stream.return(undefined);
});

test('chunks of an answer that was never completed are sent before the end of their turn', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const player = createTurnPlayer(api, { conversationId, turnId });
  await player.chunk(1, 'Well');
  await player.settle('It was cancelled.');
  await player.chunk(1, 'too late');
  const next = await startTurn(api, conversationId);
  await createTurnPlayer(api, { conversationId, turnId: next }).chunk(1, 'Next');
  const stream = await openStream(api, `/api/conversations/${conversationId}/events`);
  const seen: string[] = [];
  while (seen.length < 5) seen.push((await stream.next()).value?.event ?? 'end');
  await stream.return(undefined);
  expect(seen).toEqual(['turn.started', 'text.delta', 'turn.settled', 'turn.started', 'text.delta']);
});

test('more chunks and events than one read returns are sent in order, each once', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const player = createTurnPlayer(api, { conversationId, turnId });
  for (const iteration of [1, 2]) {
    await api.database.inWorkspace(api.workspaceId, (trx) =>
      trx('stream_chunks').insert(
        Array.from({ length: 600 }, (_, index) => ({
          conversation_id: conversationId,
          turn_id: turnId,
          iteration,
          attempt: 1,
          text: `${iteration}:${index} `,
        })),
      ),
    );
    await player.message(iteration, 'long');
    for (let index = 0; index < 30; index += 1) await player.tool(iteration);
  }
  await player.settle('Done.');
  const frames = await readStream(api, `/api/turns/${turnId}/events`);
  const expected = (iteration: number) => [
    ...Array.from({ length: 600 }, (_, index) => `${iteration}:${index} `),
    'message.created',
    ...Array.from({ length: 30 }, () => ['tool.started', 'tool.executed']).flat(),
  ];
  const seen = frames.map(({ data }) => (data.type === 'text.delta' ? data.text : data.type));
  expect(seen).toEqual(['turn.started', ...expected(1), ...expected(2), 'turn.settled']);
});

test('a stream polls the log when no notification arrives', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const stream = await openStream(api, `/api/turns/${turnId}/events?after=1`);
  const next = stream.next();
  await api.database.inWorkspace(api.workspaceId, (trx) =>
    trx('stream_chunks').insert({
      conversation_id: conversationId,
      turn_id: turnId,
      iteration: 1,
      attempt: 1,
      text: 'x',
    }),
  );
  expect((await next).value?.event).toBe('text.delta');
  await stream.return(undefined);
});

test('a stream without events sends comments as keep-alives', async () => {
  const lively = await startApi({ timings: { pollMs: 20, keepAliveMs: 60 } });
  try {
    const { conversationId } = await openConversation(lively);
    const response = await fetch(`${lively.url}/api/conversations/${conversationId}/events`, {
      headers: { authorization: `Bearer ${lively.key}` },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    let text = '';
    for await (const part of response.body ?? []) {
      text += Buffer.from(part).toString();
      if (text.split(': keep-alive').length > 3) break;
    }
    expect(text).toMatch(/^retry: 1000\n\n(: keep-alive\n\n)+$/);
  } finally {
    await lively.stop();
  }
});

test('a reader that disconnects is removed', async () => {
  const { conversationId } = await openConversation(api);
  const stream = await openStream(api, `/api/conversations/${conversationId}/events`);
  const next = stream.next();
  await vi.waitFor(() => expect(api.bells.listenerCount(conversationId)).toBe(1), { timeout: 30_000 });
  await stream.return(undefined);
  await next.catch(() => undefined);
  await vi.waitFor(() => expect(api.bells.listenerCount(conversationId)).toBe(0), { timeout: 30_000 });
});

test('closing the server ends open streams cleanly', async () => {
  const closing = await startApi();
  const { conversationId } = await openConversation(closing);
  const turnId = await startTurn(closing, conversationId);
  const stream = await openStream(closing, `/api/turns/${turnId}/events`);
  expect((await stream.next()).value?.event).toBe('turn.started');
  const end = stream.next();
  await closing.stop();
  expect((await end).done).toBe(true);
});

test('no events are read ahead for a client that does not read', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const player = createTurnPlayer(api, { conversationId, turnId });
  const text = 'x'.repeat(100_000);
  for (let index = 1; index <= 300; index += 1) await player.message(index, text);
  let read = 0;
  const { forStreams } = api.database;
  const readTogether = createBatchReader(api.database);
  const pipelined: Database['pipelined'] = (workspaceId, run) =>
    forStreams.pipelined(workspaceId, run).finally(() => (read += 1));
  const readBatch: BatchReader = (wanted) => readTogether(wanted).finally(() => (read += 1));
  const leaving = new AbortController();
  const { bells } = api;
  const wakeups = {
    onEvents: (id: string, wake: () => void) => (bells.on(id, wake), () => bells.off(id, wake)),
    onChunks: () => () => undefined,
    isListening: () => true,
  };
  const openStreams = { open: (_owner: object, signal: AbortSignal) => signal };
  const following = {
    turn: { id: turnId, conversationId },
    after: { seq: 0, chunkId: 0 },
    signal: leaving.signal,
  };
  const dependencies = { database: { forStreams: { pipelined } }, readBatch, wakeups, openStreams };
  const actor = { workspaceId: api.workspaceId, apiKeyId: 'any' };
  const deliveries = await followTurn(dependencies, actor, following);
  if (!deliveries) throw new Error('there should be a stream');
  read = 0;
  const frames = toFrames(deliveries);
  const slow = new Writable({ write: () => undefined, highWaterMark: 1024 });
  Readable.from(frames).pipe(slow);
  await vi.waitFor(() => expect(slow.writableNeedDrain).toBe(true), { timeout: 30_000 });
  for (let index = 0; index < 20; index += 1) bells.emit(conversationId);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(read).toBeLessThanOrEqual(1);
  leaving.abort();
});

test('stored events are returned as JSON pages when JSON is requested', async () => {
  const { turnId, conversationId } = await playTurn();
  const headers = { accept: 'application/json' };
  const path = `/api/turns/${turnId}/events?limit=4`;
  const first = await api.call('GET', path, { headers });
  const second = await api.call('GET', `${path}&cursor=${first.data.nextCursor}`, { headers });
  const events = [...first.data.events, ...second.data.events];
  expect(events.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(second.data.nextCursor).toBeNull();
  const all = await api.call('GET', `/api/conversations/${conversationId}/events`, { headers });
  expect(all.data.events).toEqual(events);
});

test('a position beyond the end of the log is read as the last event', async () => {
  const { turnId } = await playTurn();
  for (const after of ['7.0', '999999']) {
    const path = `/api/turns/${turnId}/events?after=${after}`;
    expect((await api.call('GET', path)).status).toBe(204);
    const page = await api.call('GET', path, { headers: { accept: 'application/json' } });
    expect(page.data).toEqual({ events: [], nextCursor: null });
  }
});

test('a position that is not an id of an event is refused', async () => {
  const { turnId } = await playTurn();
  for (const after of ['x', '1.2.3', '-1', '1e3', '9'.repeat(30)]) {
    const { status, error } = await api.call('GET', `/api/turns/${turnId}/events?after=${after}`);
    expect([after, status, error.code]).toEqual([after, 400, 'INVALID_INPUT']);
    expect(error.details).toMatchObject([{ field: 'after' }]);
  }
  const headers = { 'last-event-id': 'nonsense' };
  const { error } = await api.call('GET', `/api/turns/${turnId}/events`, { headers });
  expect(error.details).toMatchObject([{ field: 'Last-Event-ID' }]);
});
