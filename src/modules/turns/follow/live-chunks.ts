import type { StreamChunk } from '../../../domain/event.ts';
import type { AnnouncedChunk } from '../../../platform/database/announced-chunks.ts';
import type { StreamCursor } from './delivery.ts';
import type { NewestAttempts } from './newest-attempts.ts';
import { takeChunk, type OrderedBatch } from './order-batch.ts';

/** The maximum number of chunks that wait for a slow reader; it reads those beyond from the table. */
const mostWaiting = 256;

/** The announced chunks that a reader has not taken yet, and whether it has to read the table for what it lacks. */
export interface LiveChunks {
  add: (chunk: AnnouncedChunk) => void;
  /** Makes the reader read the table. */
  mustRead: () => void;
  /** Returns all that was added since the last call; null when the table has to be read. */
  take: () => AnnouncedChunk[] | null;
}

/** Collects the chunks that are announced to one reader. */
export function createLiveChunks(): LiveChunks {
  let waiting: AnnouncedChunk[] = [];
  let isComplete = true;
  return {
    add: (chunk) => {
      waiting.push(chunk);
      if (waiting.length <= mostWaiting) return;
      waiting = [];
      isComplete = false;
    },
    mustRead: () => {
      isComplete = false;
    },
    take: () => {
      const taken = isComplete ? waiting : null;
      if (taken) waiting = [];
      isComplete = true;
      return taken;
    },
  };
}

/** How far a reader has come. */
export interface ReaderPlace {
  cursor: StreamCursor;
  /** The number of the event up to which it has read the log, though the events of other turns were none for it. */
  seenSeq: number;
  attempts: Pick<NewestAttempts, 'isNewest' | 'hasOther' | 'isClosed'>;
}

/**
 * Turns announced chunks into deliveries, in the order in which the table would give them. Null when the table has to be read:
 * the reader lacks an event before a chunk, or the text of one was too long to be announced.
 */
export function orderLiveChunks(
  chunks: readonly AnnouncedChunk[] | null,
  { cursor: start, seenSeq, attempts }: ReaderPlace,
): OrderedBatch | null {
  if (!chunks) return null;
  const deliveries: OrderedBatch['deliveries'] = [];
  let cursor = start;
  for (const { id, afterSeq, turnId, iteration, attempt, text } of chunks) {
    // The table has given it before.
    if (id <= cursor.chunkId) continue;
    if (text === undefined || afterSeq > seenSeq) return null;
    const from = cursor;
    cursor = { ...cursor, chunkId: id };
    const place = { id: String(id), turnId, iteration, attempt };
    if (attempts.isClosed(place)) continue;
    const event: StreamChunk =
      text === null ? { type: 'stream.reset', ...place } : { type: 'text.delta', ...place, text };
    deliveries.push(...takeChunk(event, { from, cursor, attempts }));
  }
  return { deliveries, cursor, complete: true };
}
