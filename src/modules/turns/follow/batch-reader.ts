import { createBatcher } from '../../../platform/lib/batcher.ts';
import type { Query } from '../../../platform/database/statement.ts';
import { divideRows, readStreams, type PlacedStreamRow } from '../events/stream-chunk-repository.ts';
import type { StreamCursor, StreamSource } from './delivery.ts';
import type { ReadBatch } from './order-batch.ts';
import { batchLimits, toReadBatch } from './read-batch.ts';

/** A stream and the position of its reader. */
type WantedPart = StreamSource & { cursor: StreamCursor };

/** Reads the events and chunks after a cursor, up to the size of a batch. Null when the conversation was deleted. */
export type BatchReader = (wanted: WantedPart) => Promise<ReadBatch | null>;

interface BatchReaderOptions {
  /** Runs a statement that sees the rows of every workspace. */
  readStreams: Query;
  /** The shortest time from one read to the next, in milliseconds. @default 20 */
  pauseMs?: number;
}

/**
 * Reads for all streams of this process together what they lack, in one statement for all that have asked since the one before.
 * It sees every workspace, so the caller has to have looked whether its reader may read the conversation.
 */
export function createBatchReader({ readStreams: query, pauseMs = 20 }: BatchReaderOptions): BatchReader {
  return createBatcher({ pauseMs, run: (parts: WantedPart[]) => readAll(query, parts) });
}

async function readAll(query: Query, parts: readonly WantedPart[]): Promise<(ReadBatch | null)[]> {
  const rows = await query(readStreams, {
    conversationIds: parts.map(({ conversationId }) => conversationId),
    turnIds: parts.map(({ turnId }) => turnId ?? null),
    afterSeqs: parts.map(({ cursor }) => cursor.seq),
    afterChunkIds: parts.map(({ cursor }) => cursor.chunkId),
    ...batchLimits,
  });
  const byPosition = Map.groupBy(rows, ({ position }) => position);
  return parts.map((_, index) => toBatch(byPosition.get(index + 1)));
}

function toBatch(rows: PlacedStreamRow[] | undefined): ReadBatch | null {
  const [first] = rows ?? [];
  if (!rows || !first) return null;
  const found = rows.flatMap(({ number, ...row }) => (number === null ? [] : [{ ...row, number }]));
  return toReadBatch(divideRows(found), first.last_seq);
}
