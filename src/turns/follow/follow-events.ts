import { createStreamChunkRepository } from '../../db/turns/stream-chunk-repository.ts';
import { defaultTimings, type TurnDependencies, type TurnPrincipal } from '../turn-dependencies.ts';
import { createBell } from './bell.ts';
import type { Delivery, KeepAlive, StreamCursor, StreamSource } from './delivery.ts';
import { createNewestAttempts, type NewestAttempts } from './newest-attempts.ts';
import { orderBatch } from './order-batch.ts';
import { readBatch } from './read-batch.ts';

/** A stream, the place after which its reader goes on, and the signal that ends it. */
interface FollowOptions extends StreamSource {
  cursor: StreamCursor;
  signal: AbortSignal;
}

/**
 * Yields deliveries as fast as they are taken: one batch is read at a time, and nothing ahead of a slow reader.
 * Yields `keep-alive` after each `keepAliveMs` without a delivery. Ends when the signal aborts, when the conversation is
 * deleted, and for one turn after its last event.
 */
export async function* followEvents(
  { database, wakeups, timings }: Pick<TurnDependencies, 'database' | 'wakeups' | 'timings'>,
  principal: TurnPrincipal,
  options: FollowOptions,
): AsyncGenerator<Delivery | KeepAlive> {
  const { pollMs, keepAliveMs } = { ...defaultTimings, ...timings };
  const bell = createBell(options.signal);
  const stopListening = wakeups.onEvents(options.conversationId, bell.ring);
  try {
    let sentAt = performance.now();
    const toRest = () => Math.max(0, sentAt + keepAliveMs - performance.now());
    for await (const delivery of listDeliveries(database, principal, options)) {
      if (delivery !== null) yield delivery;
      if (delivery !== null) sentAt = performance.now();
      else await bell.wait(Math.min(pollMs, toRest()));
      if (toRest() > 0 || options.signal.aborted) continue;
      yield 'keep-alive';
      sentAt = performance.now();
    }
  } finally {
    stopListening();
  }
}

/** Everything there is to send, in order; null whenever all that is stored was sent. */
async function* listDeliveries(
  database: TurnDependencies['database'],
  principal: TurnPrincipal,
  options: FollowOptions,
): AsyncGenerator<Delivery | null> {
  const attempts = await findAttempts(database, principal, options);
  let { cursor } = options;
  while (!options.signal.aborted) {
    const read = await readBatch(database, principal, { ...options, cursor });
    if (!read) return;
    const batch = orderBatch(read, cursor, attempts);
    ({ cursor } = batch);
    for (const delivery of batch.deliveries) {
      yield delivery;
      if (isLast(delivery, options)) return;
    }
    if (batch.complete) yield null;
  }
}

async function findAttempts(
  database: TurnDependencies['database'],
  { workspaceId }: TurnPrincipal,
  { conversationId, cursor }: FollowOptions,
): Promise<NewestAttempts> {
  if (cursor.chunkId === 0) return createNewestAttempts([]);
  const seen = await database.pipelined(workspaceId, (query) =>
    createStreamChunkRepository(query).listNewestAttempts(conversationId, cursor.chunkId),
  );
  return createNewestAttempts(seen);
}

function isLast({ event }: Delivery, { turnId }: StreamSource): boolean {
  return turnId !== undefined && event.type === 'turn.settled';
}
