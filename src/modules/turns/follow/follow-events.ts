import type { Wakeups } from '../../../platform/database/wakeups.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { defaultTimings, type StreamTimings } from '../turn-dependencies.ts';
import type { WakeSignal } from './wake-signal.ts';
import type { Delivery, KeepAlive, StreamSource } from './delivery.ts';
import { orderLiveChunks, type LiveChunks } from './live-chunks.ts';
import { orderBatch, type ReadBatch } from './order-batch.ts';
import { readBatch, type StreamDatabase } from './read-batch.ts';
import type { BatchReader } from './batch-reader.ts';
import type { StreamStart } from './read-start.ts';

/** The dependencies of a reader that follows a stream. */
export interface FollowParts {
  database: StreamDatabase;
  readBatch: BatchReader;
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
 * Yields `keep-alive` after each `keepAliveMs` without a delivery. Pieces of texts come with their announcements, and are not
 * read. While nothing happens nothing is read, unless notifications do not come: then the reader looks every `pollMs`. Ends
 * when the signal aborts, when the conversation is deleted, and for one turn after its last event.
 */
export async function* followEvents(
  parts: FollowParts,
  actor: Viewer,
  options: FollowOptions,
): AsyncGenerator<Delivery | KeepAlive> {
  const sent = { at: performance.now() };
  for await (const delivery of listDeliveries(parts, actor, options)) {
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
  parts: Pick<FollowParts, 'database' | 'readBatch' | 'timings'>,
  actor: Viewer,
  { start, signal, live, ...source }: FollowOptions,
): AsyncGenerator<Delivery | null> {
  const { attempts } = start;
  const { trustedMs } = { ...defaultTimings, ...parts.timings };
  let { cursor, batch } = start;
  let [seenSeq, isComplete, checkedAt] = [cursor.seq, false, performance.now()];
  while (!signal.aborted) {
    const isTrusted = performance.now() - checkedAt < trustedMs;
    const announced = isComplete ? live.take() : null;
    let ordered = isTrusted ? orderLiveChunks(announced, { cursor, seenSeq, attempts }) : null;
    if (!ordered) {
      const wanted = { ...source, cursor: { ...cursor, seq: seenSeq } };
      const read: ReadBatch | null =
        batch ?? (await (isTrusted ? parts.readBatch(wanted) : readBatch(parts.database, actor, wanted)));
      if (!read) return;
      if (!isTrusted) checkedAt = performance.now();
      ordered = orderBatch(read, cursor, attempts);
      seenSeq = ordered.complete ? Math.max(seenSeq, read.lastSeq) : ordered.cursor.seq;
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
