import { expect, test } from 'vitest';
import type { AnnouncedChunk } from '../../../../src/platform/database/announced-chunks.ts';
import type { Database } from '../../../../src/platform/database/connect-database.ts';
import { openChunkWriter } from '../../../labs/write-chunk.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { createBatchReader, type BatchReader } from '../../../../src/modules/turns/follow/batch-reader.ts';
import type { Delivery, KeepAlive } from '../../../../src/modules/turns/follow/delivery.ts';
import {
  followConversation,
  followTurn,
  type FollowDependencies,
} from '../../../../src/modules/turns/follow/follow-turn.ts';
import { listEventPage } from '../../../../src/modules/turns/follow/list-event-page.ts';
import { createRecordedTurns } from '../../../labs/recorded-turns.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { createAnswer, openTurnRows, type RowRef } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

const start = { seq: 0, chunkId: 0 };

async function playTurn() {
  const place = { ...(await rows.createConversation()), apiKeyId: 'any' };
  const { turn } = await rows.submit(place);
  const write = openChunkWriter(rows.database);
  const chunk = { conversationId: place.conversationId, turnId: turn.id, iteration: 1, attempt: 1 };
  await write({ ...chunk, text: 'Ans' });
  return { place, turn };
}

/** Ends a turn with an answer, as the last step of its workflow does. */
async function settle(place: RowRef, turnId: string, attempt?: number): Promise<void> {
  const answer = createAnswer(turnId, { outcome: 'completed' });
  const { usage } = answer;
  const [message] = answer.events;
  if (message?.type === 'message.created' && attempt !== undefined) message.payload.attempt = attempt;
  const payload = { outcome: 'completed' as const, answer: 'Answer', error: null, iterations: 1, usage };
  await rows.storeAnswer(place, { ...answer, events: [...answer.events, { type: 'turn.settled', payload }] });
}

function toLine(item: Delivery | KeepAlive): string {
  return item === 'keep-alive' ? item : `${item.event.type} ${item.cursor.seq}`;
}

async function readAll(deliveries: AsyncIterable<Delivery | KeepAlive> | null): Promise<Delivery[]> {
  const read: Delivery[] = [];
  for await (const item of deliveries ?? []) if (item !== 'keep-alive') read.push(item);
  return read;
}

test('a turn can be followed to its last event, from the start and from every position', async () => {
  const { place, turn } = await playTurn();
  const { turns } = createRecordedTurns(rows.database);
  const { signal } = new AbortController();
  await settle(place, turn.id);
  const whole = await readAll(await followTurn(turns, place, { turn, after: start, signal }));

  expect(whole.map(toLine)).toEqual([
    'turn.started 1',
    'text.delta 1',
    'message.created 2',
    'turn.settled 3',
  ]);
  for (const [index, { cursor }] of whole.slice(0, -1).entries()) {
    expect(await readAll(await followTurn(turns, place, { turn, after: cursor, signal }))).toEqual(
      whole.slice(index + 1),
    );
  }
  const last = whole.at(-1)?.cursor ?? start;
  expect(await followTurn(turns, place, { turn, after: last, signal })).toBeNull();
});

test('the pieces that a reader has of another attempt than the message are void before it comes', async () => {
  const { place, turn } = await playTurn();
  const { turns } = createRecordedTurns(rows.database);
  const { signal } = new AbortController();
  await settle(place, turn.id, 2);
  const whole = await readAll(await followTurn(turns, place, { turn, after: start, signal }));

  expect(whole.map(toLine)).toEqual([
    ...['turn.started 1', 'text.delta 1', 'stream.reset 1', 'message.created 2', 'turn.settled 3'],
  ]);
  const [, piece, reset] = whole;
  expect(reset).toMatchObject({ cursor: piece?.cursor, event: { iteration: 1, attempt: 2 } });
  const returned = await followTurn(turns, place, { turn, after: piece?.cursor ?? start, signal });
  expect(await readAll(returned)).toEqual(whole.slice(2));
});

test('a stream without events yields keep-alives until it is woken, and ends when its reader stops', async () => {
  const { place, turn } = await playTurn();
  const { turns, bells } = createRecordedTurns(rows.database, {
    timings: { pollMs: 60_000, keepAliveMs: 20 },
  });
  const leaving = new AbortController();
  const { conversationId } = place;
  const deliveries = await followConversation(turns, place, {
    conversationId,
    after: start,
    signal: leaving.signal,
  });
  const next = async () => {
    const { done, value } = (await deliveries.next()) as IteratorResult<Delivery | KeepAlive, undefined>;
    return done ? 'end' : toLine(value);
  };

  expect([await next(), await next()]).toEqual(['turn.started 1', 'text.delta 1']);
  expect([await next(), await next()]).toEqual(['keep-alive', 'keep-alive']);
  await settle(place, turn.id);
  turns.notifier.events(conversationId);
  let woken = await next();
  while (woken === 'keep-alive') woken = await next();
  expect([woken, await next()]).toEqual(['message.created 2', 'turn.settled 3']);
  const waiting = next();
  leaving.abort();
  expect(['keep-alive', 'end']).toContain(await waiting);
  expect(await next()).toBe('end');
  expect(bells.listenerCount(conversationId)).toBe(0);
});

/** Dependencies whose notifications come, and a count of the round trips of their streams. */
function countReads() {
  const count = { reads: 0 };
  const pipelined: Database['pipelined'] = (workspaceId, run) => {
    count.reads += 1;
    return rows.database.forStreams.pipelined(workspaceId, run);
  };
  const readTogether = createBatchReader(rows.database);
  const readBatch: BatchReader = (wanted) => {
    count.reads += 1;
    return readTogether(wanted);
  };
  const recorded = createRecordedTurns(rows.database, {
    database: { ...rows.database, forStreams: { pipelined } },
    readBatch,
    timings: { pollMs: 1, keepAliveMs: 20 },
  });
  const { wakeups } = recorded.turns;
  const turns = { ...recorded.turns, wakeups: { ...wakeups, isListening: () => true } };
  return { turns, count };
}

test('a stream takes one round trip to begin, one for each wake-up, and none while nothing happens', async () => {
  const { place, turn } = await playTurn();
  const { turns, count } = countReads();
  const { signal } = new AbortController();
  const { conversationId } = place;
  const deliveries = await followConversation(turns, place, { conversationId, after: start, signal });
  const next = async () => {
    const { value } = (await deliveries.next()) as IteratorResult<Delivery | KeepAlive, undefined>;
    return value && toLine(value);
  };

  expect([await next(), await next()]).toEqual(['turn.started 1', 'text.delta 1']);
  for (let silence = 0; silence < 5; silence += 1) expect(await next()).toBe('keep-alive');
  expect(count.reads).toBe(1);
  await settle(place, turn.id);
  turns.notifier.events(conversationId);
  let woken = await next();
  while (woken === 'keep-alive') woken = await next();
  expect([woken, await next()]).toEqual(['message.created 2', 'turn.settled 3']);
  expect(count.reads).toBe(2);
  await deliveries.return(undefined);
});

test('an event that is stored while a stream begins is not missed', async () => {
  const { place, turn } = await playTurn();
  const { turns } = countReads();
  const { signal } = new AbortController();
  const { conversationId } = place;
  const deliveries = await followConversation(turns, place, { conversationId, after: start, signal });
  await settle(place, turn.id);
  turns.notifier.events(conversationId);

  const lines: string[] = [];
  for await (const item of deliveries) if (lines.push(toLine(item)) === 4) break;
  expect(lines).toEqual(['turn.started 1', 'text.delta 1', 'message.created 2', 'turn.settled 3']);
});

test('stored events are listed page by page, each in one transaction', async () => {
  const { place, turn } = await playTurn();
  let transactions = 0;
  const pipelined: Database['pipelined'] = (workspaceId, run) => {
    transactions += 1;
    return rows.database.pipelined(workspaceId, run);
  };
  const { turns } = createRecordedTurns(rows.database, { database: { ...rows.database, pipelined } });
  await settle(place, turn.id);
  const source = { conversationId: place.conversationId, turnId: turn.id };
  const first = await listEventPage(turns, place, { ...source, after: start, limit: 2 });
  const after = first.next ?? start;
  const second = await listEventPage(turns, place, { ...source, after, limit: 2 });

  expect(first.next).toEqual({ seq: 2, chunkId: 0 });
  expect([...first.events, ...second.events].map(({ type }) => type)).toEqual([
    'turn.started',
    'message.created',
    'turn.settled',
  ]);
  expect(second.next).toBeNull();
  expect(transactions).toBe(2);
});

test('a reader whose cursor is beyond the end of the log goes on after the last event', async () => {
  const { place, turn } = await playTurn();
  const { turns } = createRecordedTurns(rows.database);
  const { signal } = new AbortController();
  // As after the restore of a database from a backup.
  const after = { seq: 2, chunkId: 7 };
  const { conversationId } = place;
  const ofTurn = await followTurn(turns, place, { turn, after, signal });
  const ofConversation = await followConversation(turns, place, { conversationId, after, signal });
  const page = await listEventPage(turns, place, { conversationId, after, limit: 1 });
  await settle(place, turn.id);

  const expected = ['text.delta 1', 'message.created 2', 'turn.settled 3'];
  expect((await readAll(ofTurn)).map(toLine)).toEqual(expected);
  const first = await ofConversation.next();
  expect(first.done === true ? 'ended' : toLine(first.value)).toBe(expected[0]);
  await ofConversation.return(undefined);
  expect(page).toEqual({ events: [], next: null });
  const beyond = { seq: 9, chunkId: 0 };
  expect(await followTurn(turns, place, { turn, after: beyond, signal })).toBeNull();
});

test('a conversation that the workspace does not have is not found', async () => {
  const { place, turn } = await playTurn();
  const { turns } = createRecordedTurns(rows.database);
  const { signal } = new AbortController();
  const other = { workspaceId: newId(), apiKeyId: 'any' };
  const { conversationId } = place;

  await expect(followTurn(turns, other, { turn, after: start, signal })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(
    followConversation(turns, other, { conversationId, after: start, signal }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('an event that is stored while a read is under way is sent once', async () => {
  const { place, turn } = await playTurn();
  const { forStreams } = rows.database;
  const stored = Promise.withResolvers<undefined>();
  let isFirst = true;
  // Each statement of the first read sees its own moment; the answer is stored between the end of the log and the events.
  const pipelined: Database['pipelined'] = async (scope, run) =>
    run(async (statement, values) => {
      const readsEnd = statement.name === 'find_event_log_end';
      if (!readsEnd) await stored.promise;
      const found = await forStreams.pipelined(scope, (query) => query(statement, values));
      if (readsEnd && isFirst) {
        isFirst = false;
        await settle(place, turn.id);
        stored.resolve(undefined);
      }
      return found;
    });
  const recorded = createRecordedTurns(rows.database, {
    database: { ...rows.database, forStreams: { pipelined } },
    timings: { pollMs: 1, keepAliveMs: 20 },
  });
  const leaving = new AbortController();
  const { conversationId } = place;
  const reader = { conversationId, after: start, signal: leaving.signal };
  const deliveries = await followConversation(recorded.turns, place, reader);
  const seen: string[] = [];
  // It reads again each millisecond, so before the first keep-alive after the end.
  for await (const item of deliveries) {
    if (item === 'keep-alive' && seen.includes('turn.settled 3')) break;
    if (item !== 'keep-alive') seen.push(toLine(item));
  }
  leaving.abort();
  expect(seen).toEqual(['turn.started 1', 'text.delta 1', 'message.created 2', 'turn.settled 3']);
});

test.for(['the cursor of a stream', 'the number of an event'])(
  'a piece of an abandoned model call does not reach a reader who has come back after the end of its turn with %s',
  async (kind) => {
    const { place, turn } = await playTurn();
    await settle(place, turn.id);
    const announced: ((chunk: AnnouncedChunk) => void)[] = [];
    const recorded = createRecordedTurns(rows.database, { timings: { keepAliveMs: 60_000 } });
    const wakeups: FollowDependencies['wakeups'] = {
      ...recorded.turns.wakeups,
      isListening: () => true,
      onChunks: (_, take) => {
        announced.push(take);
        return () => undefined;
      },
    };
    const turns = { ...recorded.turns, wakeups };
    const { conversationId } = place;
    const { signal } = new AbortController();
    const whole = await readAll(await followTurn(turns, place, { turn, after: start, signal }));
    const last = whole.at(-1)?.cursor ?? start;
    const after = kind === 'the cursor of a stream' ? last : { ...last, chunkId: 0 };
    const deliveries = await followConversation(turns, place, { conversationId, after, signal });
    const next = deliveries.next();
    const chunk = { conversationId, turnId: turn.id, iteration: 1, attempt: 1, afterSeq: last.seq };
    // The reader reads the table once before it takes what is announced.
    await new Promise(setImmediate);
    announced.at(-1)?.({ ...chunk, id: last.chunkId + 1, text: 'late' });
    const { turn: second } = await rows.submit(place);
    turns.notifier.events(conversationId);

    const { value } = (await next) as IteratorResult<Delivery | KeepAlive, undefined>;
    expect(value && value !== 'keep-alive' ? value.event : value).toMatchObject({
      type: 'turn.started',
      turnId: second.id,
    });
    await deliveries.return(undefined);
  },
);
