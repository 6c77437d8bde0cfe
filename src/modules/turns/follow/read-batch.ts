import type { Database } from '../../../platform/database/connect-database.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { createEventRepository } from '../events/event-repository.ts';
import { createStreamChunkRepository } from '../events/stream-chunk-repository.ts';
import type { Viewer } from '../../../domain/actor.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import type { ReadBatch } from './order-batch.ts';

/** The sessions that readers of streams have for themselves, so that no number of them delays other requests. */
export type StreamDatabase = Pick<Database, 'forStreams'>;

/** The maximum that one read takes. */
export const batchLimits = { mostEvents: 32, mostChunks: 256 };

/** Reads the events and chunks after a cursor, up to the size of a batch. Null when the conversation was deleted. */
export async function readBatch(
  database: StreamDatabase,
  viewer: Viewer,
  { conversationId, turnId, cursor }: StreamSource & { cursor: StreamCursor },
): Promise<ReadBatch | null> {
  const [end, rows] = await database.forStreams.pipelined(toRowScope(viewer), (query) =>
    Promise.all([
      createEventRepository(query).findLogEnd({ conversationId }),
      createStreamChunkRepository(query).readStream({
        ...{ conversationId, turnId, ...batchLimits },
        afterSeq: cursor.seq,
        afterChunkId: cursor.chunkId,
      }),
    ]),
  );
  return end && toReadBatch(rows, end.lastSeq);
}

/**
 * Notes whether there may be more than what was read. The end of the log may have been read a moment before the events, and
 * then lies before the last of them.
 */
export function toReadBatch(
  { events, chunks }: Pick<ReadBatch, 'events' | 'chunks'>,
  endSeq: number,
): ReadBatch {
  return {
    lastSeq: Math.max(endSeq, events.at(-1)?.seq ?? 0),
    events,
    moreEvents: events.length === batchLimits.mostEvents,
    chunks,
    moreChunks: chunks.length === batchLimits.mostChunks,
  };
}
