import { expect, test } from 'vitest';
import type { ConversationEvent } from '../../../../src/domain/event.ts';
import type { ReadChunk } from '../../../../src/modules/turns/events/stream-chunk-repository.ts';
import { createNewestAttempts } from '../../../../src/modules/turns/follow/newest-attempts.ts';
import { orderBatch, type ReadBatch } from '../../../../src/modules/turns/follow/order-batch.ts';

interface Place {
  iteration?: number;
  attempt?: number;
  turnId?: string;
}

const start = { seq: 0, chunkId: 0 };

function event(
  seq: number,
  type: string,
  { iteration, attempt, turnId = 'one' }: Place = {},
): ConversationEvent {
  return {
    seq,
    turnId,
    type,
    createdAt: '',
    payload: { iteration, attempt },
  } as unknown as ConversationEvent;
}

function chunk(id: number, iteration: number, { attempt = 1, turnId = 'one' }: Place = {}): ReadChunk {
  const place = { id: String(id), turnId, iteration, attempt };
  return { id, finished: false, chunk: { type: 'text.delta', ...place, text: `${id}` } };
}

function toReset(id: number, attempt: number) {
  return { type: 'stream.reset' as const, id: String(id), turnId: 'one', iteration: 1, attempt };
}

function order(batch: Partial<ReadBatch>, attempts = createNewestAttempts([])) {
  const whole = { events: [], chunks: [], moreEvents: false, moreChunks: false, lastSeq: 0, ...batch };
  const { deliveries, ...rest } = orderBatch(whole, start, attempts);
  const sent = deliveries.map(({ cursor, event: { type } }) => `${type} ${cursor.seq}.${cursor.chunkId}`);
  return { sent, ...rest };
}

test('chunks come before their message, and chunks of a later message come last', () => {
  const { sent, complete } = order({
    events: [
      event(1, 'turn.started'),
      event(2, 'message.created', { iteration: 1 }),
      event(3, 'tool.started', { iteration: 1 }),
    ],
    chunks: [chunk(10, 1), chunk(11, 1), chunk(12, 2)],
  });
  expect(sent).toEqual([
    'turn.started 1.0',
    'text.delta 1.10',
    'text.delta 1.11',
    'message.created 2.11',
    'tool.started 3.11',
    'text.delta 3.12',
  ]);
  expect(complete).toBe(true);
});

test('a message waits while chunks of it may be in the next batch', () => {
  const { sent, cursor, complete } = order({
    events: [event(1, 'message.created', { iteration: 1 })],
    chunks: [chunk(10, 1), chunk(11, 1)],
    moreChunks: true,
  });
  expect(sent).toEqual(['text.delta 0.10', 'text.delta 0.11']);
  expect([cursor, complete]).toEqual([{ seq: 0, chunkId: 11 }, false]);
});

test('chunks wait while there may be events before them', () => {
  const { sent, cursor } = order({
    events: [event(1, 'turn.started')],
    chunks: [chunk(10, 2)],
    moreEvents: true,
  });
  expect(sent).toEqual(['turn.started 1.0']);
  expect(cursor).toEqual({ seq: 1, chunkId: 0 });
});

test('a message of another attempt than that of the chunks comes after a reset, whichever is the older', () => {
  const chunks = [chunk(10, 1, { attempt: 2 }), chunk(11, 2, { attempt: 2 })];
  const { sent } = order({
    events: [
      event(1, 'message.created', { iteration: 1, attempt: 1 }),
      event(2, 'message.created', { iteration: 2, attempt: 3 }),
    ],
    chunks,
  });
  expect(sent).toEqual([
    'text.delta 0.10',
    'stream.reset 0.10',
    'message.created 1.10',
    'text.delta 1.11',
    'stream.reset 1.11',
    'message.created 2.11',
  ]);
});

test('a message of the attempt of the chunks, or without chunks, comes without a reset', () => {
  const chunks = [chunk(10, 1, { attempt: 2 })];
  const events = [
    event(1, 'message.created', { iteration: 1, attempt: 2 }),
    event(2, 'message.created', { iteration: 2, attempt: 7 }),
    event(3, 'message.created', { iteration: 3 }),
  ];
  expect(order({ events, chunks }).sent).toEqual([
    'text.delta 0.10',
    'message.created 1.10',
    'message.created 2.10',
    'message.created 3.10',
  ]);
});

test('a message of another attempt comes after a reset for a reader that resumes', () => {
  const seen = createNewestAttempts([{ turnId: 'one', iteration: 1, attempt: 1, isClosed: false }]);
  const { sent } = order({ events: [event(1, 'message.created', { iteration: 1, attempt: 2 })] }, seen);
  expect(sent).toEqual(['stream.reset 0.0', 'message.created 1.0']);
});

test('a reset comes before the first chunk of a newer attempt, unless that is one', () => {
  const reset = { ...chunk(12, 1, { attempt: 3 }), chunk: toReset(12, 3) };
  const chunks = [chunk(10, 1), chunk(11, 1, { attempt: 2 }), reset, chunk(13, 1, { attempt: 3 })];
  expect(order({ chunks }).sent).toEqual([
    'text.delta 0.10',
    'stream.reset 0.10',
    'text.delta 0.11',
    'stream.reset 0.12',
    'text.delta 0.13',
  ]);
});

test('chunks of a replaced attempt are left out, also for a reader that resumes', () => {
  const chunks = [
    chunk(10, 1, { attempt: 1 }),
    chunk(11, 1, { attempt: 2 }),
    chunk(12, 1, { attempt: 1 }),
    chunk(13, 1, { attempt: 2 }),
  ];
  expect(order({ chunks }).sent).toEqual([
    ...['text.delta 0.10', 'stream.reset 0.10', 'text.delta 0.11', 'text.delta 0.13'],
  ]);
  const seen = createNewestAttempts([{ turnId: 'one', iteration: 1, attempt: 2, isClosed: false }]);
  const late = order({ chunks: chunks.slice(2) }, seen);
  expect(late.sent).toEqual(['text.delta 0.13']);
});

test('chunks that come after their message are left out, and the position moves past them', () => {
  const attempts = createNewestAttempts([]);
  order({ events: [event(1, 'message.created', { iteration: 1 })] }, attempts);
  const { sent, cursor } = order({ chunks: [chunk(10, 1), { ...chunk(11, 2), finished: true }] }, attempts);
  expect(sent).toEqual([]);
  expect(cursor.chunkId).toBe(11);
});

test('chunks of a message that was never stored are sent before the end of their turn', () => {
  const { sent } = order({
    events: [event(1, 'turn.settled'), event(2, 'turn.started', { turnId: 'two' })],
    chunks: [chunk(10, 1), chunk(11, 1, { turnId: 'two' })],
  });
  expect(sent).toEqual(['text.delta 0.10', 'turn.settled 1.10', 'turn.started 2.10', 'text.delta 2.11']);
});

test('a cancelled queued turn does not wait for the chunks of the running turn', () => {
  const { sent } = order({ events: [event(1, 'turn.settled', { turnId: 'two' })], chunks: [chunk(10, 1)] });
  expect(sent).toEqual(['turn.settled 1.0', 'text.delta 1.10']);
});
