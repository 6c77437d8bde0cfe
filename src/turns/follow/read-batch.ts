import type { Database } from '../../db/connect-database.ts';
import { createStreamChunkRepository } from '../../db/turns/stream-chunk-repository.ts';
import type { StreamCursor } from './stream-cursor.ts';
import type { ReadBatch } from './order-batch.ts';

/** What is streamed: a conversation, or one turn of it. */
export interface StreamSource {
  workspaceId: string;
  conversationId: string;
  turnId?: string;
}

const eventsPerRead = 32;
const chunksPerRead = 256;

/** Reads what comes after a cursor. */
export async function readBatch(
  database: Database,
  { workspaceId, conversationId, turnId }: StreamSource,
  cursor: StreamCursor,
): Promise<ReadBatch> {
  const { events, chunks } = await database.inWorkspace(workspaceId, (trx) =>
    createStreamChunkRepository(trx).readStream({
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
