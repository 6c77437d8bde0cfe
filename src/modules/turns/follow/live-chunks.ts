import type { AnnouncedChunk } from '../../../platform/database/announced-chunks.ts';
import type { StreamCursor } from './delivery.ts';
import type { NewestAttempts } from './newest-attempts.ts';
import type { OrderedBatch } from './order-batch.ts';

/** The most chunks that wait for a slow reader; it reads those beyond from the table. */
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

/**
 * Turns announced chunks into deliveries when each of them continues a text that the reader is being sent: then nothing can stand
 * before it that the reader lacks. Null when the table has to be read: for a chunk that begins a text, voids one or was too
 * long to be announced, so that its place among the events is not known.
 */
export function orderLiveChunks(
  chunks: readonly AnnouncedChunk[] | null,
  start: StreamCursor,
  attempts: Pick<NewestAttempts, 'isOpen'>,
): OrderedBatch | null {
  if (!chunks) return null;
  const deliveries: OrderedBatch['deliveries'] = [];
  let cursor = start;
  for (const { id, turnId, iteration, attempt, text } of chunks) {
    // Was read from the table before.
    if (id <= cursor.chunkId) continue;
    const place = { turnId, iteration, attempt };
    if (text === null || !attempts.isOpen(place)) return null;
    cursor = { ...cursor, chunkId: id };
    deliveries.push({ cursor, event: { type: 'text.delta', id: String(id), ...place, text } });
  }
  return { deliveries, cursor, complete: true };
}
