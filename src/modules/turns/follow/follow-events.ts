import type { Wakeups } from '../../../platform/database/wakeups.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { defaultTimings, type StreamTimings } from '../turn-dependencies.ts';
import type { WakeSignal } from './wake-signal.ts';
import type { Delivery, KeepAlive, StreamSource } from './delivery.ts';
import { orderLiveChunks, type LiveChunks } from './live-chunks.ts';
import { orderBatch, type OrderedBatch } from './order-batch.ts';
import { readBatch, type StreamDatabase } from './read-batch.ts';
import type { StreamStart } from './read-start.ts';

/** The dependencies of a reader that follows a stream. */
export interface FollowParts {
  database: StreamDatabase;
  wakeups: Pick<Wakeups, 'isListening'>;
  timings?: Partial<StreamTimings>;
}

/** A stream, the state in which its reader begins, what wakes the reader, and the signal that ends the stream. */
interface FollowOptions extends StreamSource {
  start: StreamStart;
  wakeSignal: WakeSignal;
  live: LiveChunks;
  signal: AbortSignal;
}

/**
 * Yields deliveries as fast as they are taken: one batch is read at a time, and nothing ahead of a slow reader.
 * Yields `keep-alive` after each `keepAliveMs` without a delivery. The pieces of a text come with their announcements and
 * without reading, once the first of them was read. While nothing happens nothing is read, unless notifications do not
 * come: then the reader looks every `pollMs`. Ends when the signal aborts, when the conversation is
 * deleted, and for one turn after its last event.
 */
export async function* followEvents(
  parts: FollowParts,
  actor: Viewer,
  options: FollowOptions,
): AsyncGenerator<Delivery | KeepAlive> {
  const sent = { at: performance.now() };
  for await (const delivery of listDeliveries(parts.database, actor, options)) {
    if (delivery === null) yield* waitForNews(parts, options, sent);
    else {
      yield delivery;
      sent.at = performance.now();
    }
  }
}

/** Ends when there may be something to read. */
async function* waitForNews(
  { wakeups, timings }: FollowParts,
  { wakeSignal, live, signal }: FollowOptions,
  sent: { at: number },
): AsyncGenerator<KeepAlive> {
  const { pollMs, keepAliveMs } = { ...defaultTimings, ...timings };
  const toRest = () => Math.max(0, sent.at + keepAliveMs - performance.now());
  for (;;) {
    const isRung = await wakeSignal.wait(wakeups.isListening() ? toRest() : Math.min(pollMs, toRest()));
    if (signal.aborted) return;
    if (toRest() === 0) {
      yield 'keep-alive';
      sent.at = performance.now();
    }
    if (!wakeups.isListening()) live.mustRead();
    if (isRung || !wakeups.isListening()) return;
  }
}

/** Everything there is to send, in order; null whenever all that is stored was sent. */
async function* listDeliveries(
  database: StreamDatabase,
  actor: Viewer,
  { start, signal, live, ...source }: FollowOptions,
): AsyncGenerator<Delivery | null> {
  const { attempts } = start;
  let { cursor, batch } = start;
  let isComplete = false;
  while (!signal.aborted) {
    let ordered: OrderedBatch | null = isComplete ? orderLiveChunks(live.take(), cursor, attempts) : null;
    if (!ordered) {
      const read = batch ?? (await readBatch(database, actor, { ...source, cursor }));
      if (!read) return;
      ordered = orderBatch(read, cursor, attempts);
    }
    batch = null;
    ({ cursor, complete: isComplete } = ordered);
    for (const delivery of ordered.deliveries) {
      yield delivery;
      if (isLast(delivery, source)) return;
    }
    if (isComplete) yield null;
  }
}

function isLast({ event }: Delivery, { turnId }: StreamSource): boolean {
  return turnId !== undefined && event.type === 'turn.settled';
}
