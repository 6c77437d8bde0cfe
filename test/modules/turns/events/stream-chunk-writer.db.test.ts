import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createStreamChunkWriter } from '../../../../src/modules/turns/events/stream-chunk-writer.ts';
import { createBatchReader, type BatchReader } from '../../../../src/modules/turns/follow/batch-reader.ts';
import { followTurn } from '../../../../src/modules/turns/follow/follow-turn.ts';
import { listLastSeqs } from '../../../../src/modules/turns/events/event-repository.ts';
import { connectDatabase, type Database } from '../../../../src/platform/database/connect-database.ts';
import type { Notification } from '../../../../src/platform/database/transactions.ts';
import { listenForWakeups } from '../../../../src/platform/database/wakeups.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { createRecordedTurns } from '../../../labs/recorded-turns.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { createAnswer, openTurnRows, type RowRef } from '../../../labs/turn-rows.ts';

const rows = openForTests(openTurnRows);

async function startTurn() {
  const place = { ...(await rows.createConversation()), apiKeyId: 'any' };
  const { turn } = await rows.submit(place);
  return {
    place,
    turn,
    chunk: {
      ...{ conversationId: place.conversationId, turnId: turn.id, iteration: 1, attempt: 1 },
      heldBy: null,
    },
  };
}

/** The stored chunks of a conversation, and the transactions that stored them. */
async function readChunks({ workspaceId, conversationId }: RowRef) {
  const stored = await rows.database.inWorkspace(workspaceId, (trx) =>
    trx('stream_chunks')
      .where({ conversation_id: conversationId })
      .orderBy('id')
      .select('text', trx.raw('xmin::text')),
  );
  return stored as { text: string | null; xmin: string }[];
}

test('what comes while a write runs is stored by the next one, for all conversations together', async () => {
  const [first, second] = [await startTurn(), await startTurn()];
  const held = Promise.withResolvers<undefined>();
  let writes = 0;
  const storeUnsynced: Database['storeUnsynced'] = async (statement, values) => {
    writes += 1;
    if (writes === 1) await held.promise;
    return rows.database.storeUnsynced(statement, values);
  };
  const write = createStreamChunkWriter({ storeUnsynced });
  const begun = write(first.chunk, () => 'a', 0);
  await expect.poll(() => writes).toBe(1);
  const later = ['b', 'c', 'd'].flatMap((text) =>
    [first, second].map(({ chunk }) => write(chunk, () => text, 0)),
  );
  held.resolve(undefined);
  await Promise.all([begun, ...later]);

  expect(writes).toBe(2);
  expect((await readChunks(first.place)).map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
  expect((await readChunks(second.place)).map(({ text }) => text)).toEqual(['b', 'c', 'd']);
  const [, ...ofFirst] = await readChunks(first.place);
  const together = [...ofFirst, ...(await readChunks(second.place))].map(({ xmin }) => xmin);
  expect(new Set(together).size).toBe(1);
});

test('a text is taken when it is written, and nothing is stored for an empty one', async () => {
  const { place, chunk } = await startTurn();
  const write = createStreamChunkWriter(rows.database);
  let text = 'old';
  const writing = write(chunk, () => text);
  text = 'new';
  await Promise.all([writing, write(chunk, () => '')]);
  expect((await readChunks(place)).map((one) => one.text)).toEqual(['new']);
});

test('a piece belongs to the workspace of its conversation, and no other one sees it', async () => {
  const { place, chunk } = await startTurn();
  const other = await startTurn();
  await createStreamChunkWriter(rows.database)(chunk, () => 'a secret', 0);
  expect(await readChunks(place)).toHaveLength(1);
  expect(await readChunks({ ...place, workspaceId: other.place.workspaceId })).toEqual([]);
});

test('pieces of a conversation that is gone are left out, and those of others are stored', async () => {
  const { place, chunk } = await startTurn();
  const write = createStreamChunkWriter(rows.database);
  await Promise.all([
    write({ ...chunk, conversationId: newId() }, () => 'nobody reads this', 0),
    write(chunk, () => 'kept', 0),
  ]);
  expect((await readChunks(place)).map(({ text }) => text)).toEqual(['kept']);
});

test('what Postgres refuses in a text is replaced', async () => {
  const { place, chunk } = await startTurn();
  await createStreamChunkWriter(rows.database)(chunk, () => 'a\u0000b\ud800', 0);
  expect((await readChunks(place)).map(({ text }) => text)).toEqual(['a\ufffdb\ufffd']);
});

test('a failed write rejects for everyone in it, and the next one succeeds', async () => {
  const { place, chunk } = await startTurn();
  let isBroken = true;
  const storeUnsynced: Database['storeUnsynced'] = (statement, values) =>
    isBroken ? Promise.reject(new Error('away')) : rows.database.storeUnsynced(statement, values);
  const write = createStreamChunkWriter({ storeUnsynced });
  const lost = await Promise.allSettled([write(chunk, () => 'a', 0), write(chunk, () => 'b', 0)]);
  isBroken = false;
  await write(chunk, () => 'c', 0);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await readChunks(place)).map(({ text }) => text)).toEqual(['c']);
});

test('the numbers of a new session begin far beyond those of one before', async () => {
  const { place, chunk } = await startTurn();
  const readIds = async () => {
    const found = await rows.database.inWorkspace(place.workspaceId, (trx) =>
      trx('stream_chunks')
        .where({ conversation_id: place.conversationId })
        .orderBy('id')
        .pluck<number[]>('id'),
    );
    return found;
  };
  for (let session = 0; session < 2; session += 1) {
    const database = connectDatabase({ url: rows.url });
    await createStreamChunkWriter(database)(chunk, () => 'a', 0);
    await database.close();
  }
  const [first = 0, second = 0] = await readIds();
  expect(second - first).toBeGreaterThanOrEqual(4096);
});

/** Dependencies of readers that hear what is announced, and a count of how often the table was read. */
async function listen(timings = {}) {
  const system = rows.database.system;
  const wakeups = await listenForWakeups({
    url: rows.url,
    listLastSeqs: (conversationIds) => listLastSeqs(system, conversationIds),
  });
  onTestFinished(() => wakeups.close());
  const count = { reads: 0 };
  const readTogether = createBatchReader(rows.database);
  const readBatch: BatchReader = (wanted) => {
    count.reads += 1;
    return readTogether(wanted);
  };
  const { turns } = createRecordedTurns(rows.database, {
    readBatch,
    timings: { pollMs: 60_000, keepAliveMs: 60_000, ...timings },
  });
  return { turns: { ...turns, wakeups }, count };
}

test('the pieces of a text come with their announcements, and the table is read for what was too long', async () => {
  const { place, turn, chunk } = await startTurn();
  const { turns, count } = await listen();
  const { signal } = new AbortController();
  const deliveries = await followTurn(turns, place, { turn, after: { seq: 0, chunkId: 0 }, signal });
  const next = async () => {
    const item = await deliveries?.next();
    if (item === undefined || item.done === true || item.value === 'keep-alive') return 'nothing';
    const { event } = item.value;
    return event.type === 'text.delta' ? event.text : event.type;
  };
  const write = createStreamChunkWriter(rows.database);
  expect(await next()).toBe('turn.started');
  for (let piece = 1; piece <= 20; piece += 1) {
    await write(chunk, () => `piece ${piece}`, 0);
    expect(await next()).toBe(`piece ${piece}`);
  }
  expect(count.reads).toBe(0);

  const long = 'x'.repeat(20_000);
  await write(chunk, () => long, 0);
  await write(chunk, () => 'after the long one', 0);
  expect([await next(), await next()]).toEqual([long, 'after the long one']);
  expect(count.reads).toBe(1);
  const answer = createAnswer(turn.id, { outcome: 'completed' });
  const payload = {
    outcome: 'completed' as const,
    answer: 'A',
    error: null,
    iterations: 1,
    usage: answer.usage,
  };
  await rows.storeAnswer(place, { ...answer, events: [...answer.events, { type: 'turn.settled', payload }] });
  await notify('holdfast_events', place.conversationId);
  expect([await next(), await next(), await next()]).toEqual(['message.created', 'turn.settled', 'nothing']);
});

test('what else is to be notified goes with the pieces, and waits for them when there are none', async () => {
  const { place, chunk } = await startTurn();
  const wakeups = await listenForWakeups({ url: rows.url, listLastSeqs: () => Promise.resolve([]) });
  onTestFinished(() => wakeups.close());
  const heard: string[] = [];
  wakeups.onEvents('a conversation', () => heard.push('event'));
  wakeups.onChunks(place.conversationId, ({ text }) => heard.push(text ?? ''));
  const collected: Notification[] = [['holdfast_events', 'another one,a conversation']];
  const write = createStreamChunkWriter({
    storeUnsynced: rows.database.storeUnsynced,
    takeNotifications: () => collected.splice(0),
  });
  await write(chunk, () => '', 0);
  expect(collected).toHaveLength(1);
  await write(chunk, () => 'a piece', 0);
  await expect.poll(() => heard.toSorted()).toEqual(['a piece', 'event']);
  await write(chunk, () => 'the next one', 0);
  await expect.poll(() => heard.toSorted()).toEqual(['a piece', 'event', 'the next one']);
});

async function notify(channel: string, payload: string): Promise<void> {
  const client = new pg.Client(rows.url);
  await client.connect();
  await client.query('SELECT pg_notify($1, $2)', [channel, payload]);
  await client.end();
}

test('a reader that comes back in the middle gets every piece once', async () => {
  const { place, turn, chunk } = await startTurn();
  const { turns } = await listen();
  const write = createStreamChunkWriter({ storeUnsynced: rows.database.storeUnsynced, pauseMs: 1 });
  const pieces = Array.from({ length: 200 }, (_, index) => `<${index}>`);
  const writing = (async () => {
    for (const piece of pieces) await write(chunk, () => piece);
  })();
  const seen: string[] = [];
  let after = { seq: 0, chunkId: 0 };
  while (seen.length < pieces.length) {
    const leaving = new AbortController();
    const deliveries = await followTurn(turns, place, { turn, after, signal: leaving.signal });
    let taken = 0;
    for await (const delivery of deliveries ?? []) {
      if (delivery === 'keep-alive') continue;
      after = delivery.cursor;
      if (delivery.event.type === 'text.delta') seen.push(delivery.event.text);
      if (++taken === 17 || seen.length === pieces.length) break;
    }
    leaving.abort();
  }
  await writing;
  expect(seen).toEqual(pieces);
});

test('a reader from whom the conversation was taken gets no piece any more', async () => {
  const { place, turn, chunk } = await startTurn();
  const { turns } = await listen({ trustedMs: 0 });
  const giveTo = (person: string) =>
    rows.database.inWorkspace(place.workspaceId, (trx) =>
      trx('conversations').where({ id: place.conversationId }).update({ person }),
    );
  await giveTo('ann');
  const { signal } = new AbortController();
  const ann = { ...place, actsFor: 'ann', reach: 'own' as const };
  const deliveries = await followTurn(turns, ann, { turn, after: { seq: 0, chunkId: 0 }, signal });
  const write = createStreamChunkWriter(rows.database);
  await deliveries?.next();
  await write(chunk, () => 'for Ann', 0);
  expect(await deliveries?.next()).toMatchObject({ value: { event: { text: 'for Ann' } } });
  await giveTo('bob');
  await write(chunk, () => 'for Bob', 0);
  expect((await deliveries?.next())?.done).toBe(true);
});

test('a reader of a conversation that is deleted gets no piece any more', async () => {
  const { place, turn, chunk } = await startTurn();
  const { turns } = await listen();
  const { signal } = new AbortController();
  const deliveries = await followTurn(turns, place, { turn, after: { seq: 0, chunkId: 0 }, signal });
  await deliveries?.next();
  await rows.database.inWorkspace(place.workspaceId, (trx) =>
    trx('conversations').where({ id: place.conversationId }).update({ deleted_at: trx.fn.now() }),
  );
  const end = deliveries?.next();
  await notify('holdfast_events', place.conversationId);
  expect((await end)?.done).toBe(true);
  await createStreamChunkWriter(rows.database)(chunk, () => 'late', 0);
});

test('readers of two workspaces that are read together get their own events', async () => {
  const { turns } = await listen();
  const { signal } = new AbortController();
  const scenes = [await startTurn(), await startTurn()];
  const readers = await Promise.all(
    scenes.map(({ place, turn }) =>
      followTurn(turns, place, { turn, after: { seq: 0, chunkId: 0 }, signal }),
    ),
  );
  for (const reader of readers) await reader?.next();
  const next = readers.map(async (reader) => reader?.next());
  for (const { place, turn } of scenes) await rows.storeAnswer(place, createAnswer(turn.id, {}));
  const ids = scenes.map(({ place }) => place.conversationId);
  await notify('holdfast_events', ids.join(','));
  for (const [index, delivery] of (await Promise.all(next)).entries())
    expect(delivery).toMatchObject({
      value: { event: { type: 'message.created', turnId: scenes[index]?.turn.id } },
    });
});
