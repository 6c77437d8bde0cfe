import { expect, test } from 'vitest';
import {
  createLiveChunks,
  orderLiveChunks,
  type ReaderPlace,
} from '../../../../src/modules/turns/follow/live-chunks.ts';
import { createNewestAttempts } from '../../../../src/modules/turns/follow/newest-attempts.ts';
import type { OrderedBatch } from '../../../../src/modules/turns/follow/order-batch.ts';
import type { AnnouncedChunk } from '../../../../src/platform/database/announced-chunks.ts';

const place = { conversationId: 'conversation', turnId: 'turn', iteration: 1, attempt: 1 };
const chunk = (id: number, changes: Partial<AnnouncedChunk> = {}): AnnouncedChunk => ({
  ...{ ...place, id, afterSeq: 3, text: `piece ${id}` },
  ...changes,
});

/** A reader that has the first pieces of the answer, and all events. */
const reading = (changes: Partial<ReaderPlace> = {}): ReaderPlace => ({
  ...{
    cursor: { seq: 3, chunkId: 4 },
    seenSeq: 3,
    attempts: createNewestAttempts([{ ...place, isClosed: false }]),
  },
  ...changes,
});

const listIds = (ordered: OrderedBatch | null) => ordered?.deliveries.map(({ cursor }) => cursor.chunkId);

test('pieces are delivered in their order', () => {
  const ordered = orderLiveChunks([chunk(5), chunk(9, { iteration: 2 })], reading());
  expect(ordered?.deliveries).toEqual([
    {
      cursor: { seq: 3, chunkId: 5 },
      event: { type: 'text.delta', id: '5', turnId: 'turn', iteration: 1, attempt: 1, text: 'piece 5' },
    },
    {
      cursor: { seq: 3, chunkId: 9 },
      event: { type: 'text.delta', id: '9', turnId: 'turn', iteration: 2, attempt: 1, text: 'piece 9' },
    },
  ]);
  expect(ordered).toMatchObject({ cursor: { seq: 3, chunkId: 9 }, complete: true });
});

test('pieces that the table has given are left out', () => {
  expect(listIds(orderLiveChunks([chunk(3), chunk(4), chunk(5)], reading()))).toEqual([5]);
});

test('a mark that earlier pieces are void is delivered, and the pieces of an older attempt are not any more', () => {
  const void2 = chunk(5, { attempt: 2, text: null });
  const ordered = orderLiveChunks([void2, chunk(6), chunk(7, { attempt: 2 })], reading());
  expect(ordered?.deliveries.map(({ event }) => event.type)).toEqual(['stream.reset', 'text.delta']);
  expect(listIds(ordered)).toEqual([5, 7]);
  expect(ordered?.cursor.chunkId).toBe(7);
});

test('a piece of a newer attempt comes after a reset, which leaves the reader where it was', () => {
  const ordered = orderLiveChunks([chunk(5, { attempt: 2 }), chunk(6, { attempt: 2 })], reading());
  const seen = ordered?.deliveries.map(({ event, cursor }) => [
    ...[event.type, 'id' in event ? event.id : null, cursor.chunkId],
  ]);
  expect(seen).toEqual([
    ['stream.reset', '4.reset', 4],
    ['text.delta', '5', 5],
    ['text.delta', '6', 6],
  ]);
});

test('a piece before which the reader lacks an event has to be read from the table', () => {
  expect(orderLiveChunks([chunk(5), chunk(6, { afterSeq: 4 })], reading())).toBeNull();
  expect(listIds(orderLiveChunks([chunk(6, { afterSeq: 4 })], reading({ seenSeq: 4 })))).toEqual([6]);
});

test('a piece that was too long to be announced has to be read from the table', () => {
  expect(orderLiveChunks([chunk(5, { text: undefined })], reading())).toBeNull();
});

test('a piece that comes after its message is void', () => {
  const attempts = createNewestAttempts([{ ...place, isClosed: false }]);
  const payload = { messageId: 'message', iteration: 1 };
  attempts.close({ type: 'message.created', turnId: 'turn', payload } as never);
  const ordered = orderLiveChunks([chunk(5), chunk(6, { iteration: 2 })], reading({ attempts }));
  expect(listIds(ordered)).toEqual([6]);
});

test('what was added is taken once', () => {
  const live = createLiveChunks();
  live.add(chunk(1));
  live.add(chunk(2));
  expect(live.take()).toEqual([chunk(1), chunk(2)]);
  expect(live.take()).toEqual([]);
});

test('a reader that has to read the table reads it once', () => {
  const live = createLiveChunks();
  live.add(chunk(1));
  live.mustRead();
  expect(live.take()).toBeNull();
  expect(live.take()).toEqual([chunk(1)]);
});

test('a slow reader reads from the table what it has not taken', () => {
  const live = createLiveChunks();
  for (let id = 1; id <= 1_000; id += 1) live.add(chunk(id));
  expect(live.take()).toBeNull();
  expect(live.take()?.length).toBeLessThan(256);
});
