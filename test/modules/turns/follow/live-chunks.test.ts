import { expect, test } from 'vitest';
import { createLiveChunks, orderLiveChunks } from '../../../../src/modules/turns/follow/live-chunks.ts';
import { createNewestAttempts } from '../../../../src/modules/turns/follow/newest-attempts.ts';
import type { AnnouncedChunk } from '../../../../src/platform/database/announced-chunks.ts';

const place = { conversationId: 'conversation', turnId: 'turn', iteration: 1, attempt: 1 };
const chunk = (id: number, changes: Partial<AnnouncedChunk> = {}): AnnouncedChunk => ({
  ...{ ...place, id, text: `piece ${id}` },
  ...changes,
});
const cursor = { seq: 3, chunkId: 4 };

/** The attempts of a reader that has the first pieces of the answer. */
const reading = () => createNewestAttempts([place]);

test('pieces that continue a text are delivered in their order', () => {
  const ordered = orderLiveChunks([chunk(5), chunk(9)], cursor, reading());
  expect(ordered?.deliveries).toEqual([
    {
      cursor: { seq: 3, chunkId: 5 },
      event: { type: 'text.delta', id: '5', turnId: 'turn', iteration: 1, attempt: 1, text: 'piece 5' },
    },
    {
      cursor: { seq: 3, chunkId: 9 },
      event: { type: 'text.delta', id: '9', turnId: 'turn', iteration: 1, attempt: 1, text: 'piece 9' },
    },
  ]);
  expect(ordered).toMatchObject({ cursor: { seq: 3, chunkId: 9 }, complete: true });
});

test('pieces that were read before are left out', () => {
  const ordered = orderLiveChunks([chunk(3), chunk(4), chunk(5)], cursor, reading());
  expect(ordered?.deliveries.map(({ cursor: after }) => after.chunkId)).toEqual([5]);
});

test.each([
  ['the first piece of the next text', chunk(5, { iteration: 2 })],
  ['a piece of a newer attempt', chunk(5, { attempt: 2 })],
  ['a piece of an older attempt', chunk(5, { attempt: 0 })],
  ['a piece of another turn', chunk(5, { turnId: 'other' })],
  ['a mark that earlier pieces are void', chunk(5, { text: null })],
])('%s has to be read from the table', (_, found) => {
  expect(orderLiveChunks([found], cursor, reading())).toBeNull();
});

test('a piece that comes after its message has to be read, which tells that it is void', () => {
  const attempts = reading();
  const payload = { messageId: 'message', iteration: 1 };
  attempts.close({ type: 'message.created', turnId: 'turn', payload } as never);
  expect(orderLiveChunks([chunk(5)], cursor, attempts)).toBeNull();
});

test('what was added is taken once', () => {
  const live = createLiveChunks();
  live.add(chunk(1));
  live.add(chunk(2));
  expect(live.take()).toEqual([chunk(1), chunk(2)]);
  expect(live.take()).toEqual([]);
});

test('a reader reads the table when it is told to, once', () => {
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
