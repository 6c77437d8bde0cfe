import type { ConversationEvent } from '../../../domain/event.ts';
import type { ReadChunk } from '../events/stream-chunk-repository.ts';
import type { Delivery, StreamCursor } from './delivery.ts';
import type { NewestAttempts } from './newest-attempts.ts';

/** Events and chunks after a cursor, both in order and both as of the same moment. */
export interface ReadBatch {
  events: ConversationEvent[];
  /** Whether there may be events after these. */
  moreEvents: boolean;
  chunks: ReadChunk[];
  /** Whether there may be chunks after these. */
  moreChunks: boolean;
  /** The number of the last event of the conversation, which may be one of another turn. */
  lastSeq: number;
}

/** The deliveries of a batch, the reader's position after them, and whether they are all that is stored. */
export interface OrderedBatch {
  deliveries: Delivery[];
  cursor: StreamCursor;
  complete: boolean;
}

/**
 * Brings stored events and chunks into the one order in which every reader gets them: the pieces of a message
 * before the message, and none after it. Pieces of an attempt that a newer one has replaced are left out.
 */
export function orderBatch(batch: ReadBatch, start: StreamCursor, attempts: NewestAttempts): OrderedBatch {
  const merge = createMerge(batch.chunks, start, attempts);
  for (const event of batch.events) {
    if (event.type === 'message.created' || event.type === 'turn.settled') {
      merge.sendChunks((read) => isPieceOf(read, event));
      // Pieces of this very message may be in the next batch of chunks: look there before it is sent.
      if (merge.isDrained() && batch.moreChunks) return { ...merge.result(), complete: false };
    }
    merge.sendEvent(event);
  }
  if (!batch.moreEvents) merge.sendChunks(() => true);
  return { ...merge.result(), complete: !batch.moreEvents && !batch.moreChunks };
}

function isPieceOf({ chunk }: ReadChunk, event: ConversationEvent): boolean {
  if (chunk.turnId !== event.turnId) return false;
  return event.type !== 'message.created' || chunk.iteration <= event.payload.iteration;
}

function createMerge(chunks: ReadChunk[], start: StreamCursor, attempts: NewestAttempts) {
  const deliveries: Delivery[] = [];
  let cursor = start;
  let next = 0;

  return {
    sendChunks: (isDue: (read: ReadChunk) => boolean) => {
      for (let read = chunks[next]; read; read = chunks[++next]) {
        const isVoid = read.finished || attempts.isClosed(read.chunk);
        if (!isVoid && !isDue(read)) return;
        cursor = { ...cursor, chunkId: read.id };
        // More chunks of it may be announced.
        if (read.finished) attempts.closePlace(read.chunk);
        if (!isVoid && attempts.isNewest(read.chunk)) deliveries.push({ cursor, event: read.chunk });
      }
    },
    sendEvent: (event: ConversationEvent) => {
      cursor = { ...cursor, seq: event.seq };
      deliveries.push({ cursor, event });
      attempts.close(event);
    },
    isDrained: () => next >= chunks.length,
    result: () => ({ deliveries, cursor }),
  };
}
