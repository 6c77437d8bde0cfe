import { createEventRepository } from '../../db/turns/event-repository.ts';
import { createStreamChunkRepository } from '../../db/turns/stream-chunk-repository.ts';
import type { TurnDependencies, TurnPrincipal } from '../turn-dependencies.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import type { ReadBatch } from './order-batch.ts';

const eventsPerRead = 32;
const chunksPerRead = 256;

/** Reads the events and chunks after a cursor, up to the size of a batch. Null when the conversation was deleted. */
export async function readBatch(
  database: Pick<TurnDependencies['database'], 'pipelined'>,
  { workspaceId }: TurnPrincipal,
  { conversationId, turnId, cursor }: StreamSource & { cursor: StreamCursor },
): Promise<ReadBatch | null> {
  const [end, { events, chunks }] = await database.pipelined(workspaceId, (query) =>
    Promise.all([
      createEventRepository(query).findLogEnd({ conversationId }),
      createStreamChunkRepository(query).readStream({
        conversationId,
        turnId,
        afterSeq: cursor.seq,
        afterChunkId: cursor.chunkId,
        mostEvents: eventsPerRead,
        mostChunks: chunksPerRead,
      }),
    ]),
  );
  if (!end) return null;
  return {
    events,
    moreEvents: events.length === eventsPerRead,
    chunks,
    moreChunks: chunks.length === chunksPerRead,
  };
}
