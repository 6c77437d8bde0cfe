import { createStreamChunkRepository } from '../../db/turns/stream-chunk-repository.ts';
import type { Dependencies, StreamTimings } from '../../http/server/api-dependencies.ts';
import { createBell } from './bell.ts';
import type { StreamCursor } from './stream-cursor.ts';
import { keepAliveFrame, retryFrame, toFrame, type Delivery } from '../../http/rest/event-frames.ts';
import { createNewestAttempts, type NewestAttempts } from './newest-attempts.ts';
import { orderBatch } from './order-batch.ts';
import { readBatch, type StreamSource } from './read-batch.ts';

type StreamDependencies = Pick<Dependencies, 'database' | 'wakeups' | 'timings'>;

/** A reader's connection. */
export interface StreamOptions extends StreamSource {
  cursor: StreamCursor;
  signal: AbortSignal;
}

const defaultTimings: StreamTimings = { pollMs: 1000, keepAliveMs: 15_000 };

/**
 * The frames of a stream, as fast as they are taken: nothing is read ahead of a slow client.
 * Ends when the signal aborts, and for one turn after its last event.
 */
export async function* streamEvents(
  dependencies: StreamDependencies,
  options: StreamOptions,
): AsyncGenerator<string> {
  const { signal } = options;
  const timings = { ...defaultTimings, ...dependencies.timings };
  const bell = createBell(signal);
  const stopListening = dependencies.wakeups.onEvents(options.conversationId, bell.ring);
  try {
    yield retryFrame;
    let sentAt = performance.now();
    for await (const delivery of listDeliveries(dependencies, options)) {
      if (delivery !== null) yield toFrame(delivery);
      if (delivery !== null) sentAt = performance.now();
      else await bell.wait(Math.min(timings.pollMs, toRest(sentAt, timings.keepAliveMs)));
      if (toRest(sentAt, timings.keepAliveMs) > 0 || signal.aborted) continue;
      yield keepAliveFrame;
      sentAt = performance.now();
    }
  } finally {
    stopListening();
  }
}

function toRest(sentAt: number, ms: number): number {
  return Math.max(0, sentAt + ms - performance.now());
}

/** What is there to send, one after the other; null whenever there is nothing more for now. */
async function* listDeliveries(
  { database }: StreamDependencies,
  options: StreamOptions,
): AsyncGenerator<Delivery | null> {
  const attempts = await findAttempts(database, options);
  let { cursor } = options;
  while (!options.signal.aborted) {
    const batch = orderBatch(await readBatch(database, options, cursor), cursor, attempts);
    ({ cursor } = batch);
    for (const delivery of batch.deliveries) {
      yield delivery;
      if (isLast(delivery, options)) return;
    }
    if (batch.complete) yield null;
  }
}

async function findAttempts(
  database: Dependencies['database'],
  { workspaceId, conversationId, cursor }: StreamOptions,
): Promise<NewestAttempts> {
  if (cursor.chunkId === 0) return createNewestAttempts([]);
  const seen = await database.inWorkspace(workspaceId, (trx) =>
    createStreamChunkRepository(trx).listNewestAttempts(conversationId, cursor.chunkId),
  );
  return createNewestAttempts(seen);
}

function isLast({ event }: Delivery, { turnId }: StreamSource): boolean {
  return turnId !== undefined && event.type === 'turn.settled';
}
