import { toRowScope } from '../../../domain/row-scope.ts';
import { createEventRepository, type EventLogEnd } from '../events/event-repository.ts';
import { createStreamChunkRepository } from '../events/stream-chunk-repository.ts';
import { conversationNotFound } from '../turn-rows.ts';
import type { Viewer } from '../../../domain/actor.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import { createNewestAttempts, type NewestAttempts } from './newest-attempts.ts';
import type { ReadBatch } from './order-batch.ts';
import { batchLimits, toReadBatch, type StreamDatabase } from './read-batch.ts';

/** The state in which a reader begins. */
export interface StreamStart {
  end: EventLogEnd;
  /** The position after which the reader continues. */
  cursor: StreamCursor;
  attempts: NewestAttempts;
  /** The events after the cursor; null when they were not read. */
  batch: ReadBatch | null;
}

/**
 * Reads all that a reader needs to begin, in one round trip. A reader continues after its cursor, or after the last event
 * when the log has not reached the cursor: a database that was restored has fewer events than its readers saw, and a
 * browser's EventSource would give up for good if it was refused.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function readStart(
  database: StreamDatabase,
  viewer: Viewer,
  { after, ...source }: StreamSource & { after: StreamCursor },
): Promise<StreamStart> {
  const [end, seen, rows] = await database.forStreams.pipelined(toRowScope(viewer), (query) => {
    const chunks = createStreamChunkRepository(query);
    const { seq: afterSeq, chunkId: afterChunkId } = after;
    return Promise.all([
      createEventRepository(query).findLogEnd(source),
      afterChunkId === 0 ? [] : chunks.listNewestAttempts(source.conversationId, after),
      chunks.readStream({ ...source, afterSeq, afterChunkId, ...batchLimits }),
    ]);
  });
  if (!end) throw conversationNotFound(source.conversationId);
  if (after.seq > end.lastSeq) {
    const cursor = { seq: end.lastSeq, chunkId: 0 };
    return { end, cursor, attempts: createNewestAttempts([]), batch: null };
  }
  return { end, cursor: after, attempts: createNewestAttempts(seen), batch: toReadBatch(rows, end.lastSeq) };
}
