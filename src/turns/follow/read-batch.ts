import { createStreamChunkRepository } from '../../db/turns/stream-chunk-repository.ts';
import type { TurnDependencies, TurnPrincipal } from '../turn-dependencies.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import type { ReadBatch } from './order-batch.ts';

const eventsPerRead = 32;
const chunksPerRead = 256;

/** Reads the events and chunks after a cursor, up to the size of a batch. */
export async function readBatch(
  database: Pick<TurnDependencies['database'], 'pipelined'>,
  { workspaceId }: TurnPrincipal,
  { conversationId, turnId, cursor }: StreamSource & { cursor: StreamCursor },
): Promise<ReadBatch> {
  const { events, chunks } = await database.pipelined(workspaceId, (query) =>
    createStreamChunkRepository(query).readStream({
      conversationId,
      turnId,
      afterSeq: cursor.seq,
      afterChunkId: cursor.chunkId,
      mostEvents: eventsPerRead,
      mostChunks: chunksPerRead,
    }),
  );
  return {
    events,
    moreEvents: events.length === eventsPerRead,
    chunks,
    moreChunks: chunks.length === chunksPerRead,
  };
}
