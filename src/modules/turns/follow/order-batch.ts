import type { ConversationEvent, StreamChunk } from '../../../domain/event.ts';
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
 * before the message, and none after it. Pieces of an attempt that a newer one has replaced are left out. The pieces that a
 * reader has of an answer are always of one attempt, which is that of the message: a reset comes before any other.
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

interface ChunkMoment {
  /** The reader's position before and after the chunk. */
  from: StreamCursor;
  cursor: StreamCursor;
  attempts: Pick<NewestAttempts, 'isNewest' | 'hasOther'>;
}

/** Returns the deliveries of a chunk whose message was not sent: none of an old attempt, and a reset before the first of a new one. */
export function takeChunk(chunk: StreamChunk, { from, cursor, attempts }: ChunkMoment): Delivery[] {
  const isOther = attempts.hasOther(chunk);
  if (!attempts.isNewest(chunk)) return [];
  const delivery = { cursor, event: chunk };
  return isOther && chunk.type === 'text.delta' ? [toReset(chunk, from), delivery] : [delivery];
}

/** It is no stored piece, so that its id is no number. A reader that comes back after the reset alone gets it again. */
function toReset({ turnId, iteration, attempt }: AnswerPlace, cursor: StreamCursor): Delivery {
  const id = `${cursor.chunkId}.reset`;
  return { cursor, event: { type: 'stream.reset', id, turnId, iteration, attempt } };
}

type AnswerPlace = Pick<StreamChunk, 'turnId' | 'iteration' | 'attempt'>;

/** The place of the pieces of a message; null for other events, and for a message that was not streamed. */
function toPlace(event: ConversationEvent): AnswerPlace | null {
  if (event.type !== 'message.created' || event.payload.attempt === undefined) return null;
  const { iteration, attempt } = event.payload;
  return { turnId: event.turnId, iteration, attempt };
}

function createMerge(chunks: ReadChunk[], start: StreamCursor, attempts: NewestAttempts) {
  const deliveries: Delivery[] = [];
  let cursor = start;
  let next = 0;

  return {
    sendChunks: (isDue: (read: ReadChunk) => boolean) => {
      for (let read = chunks[next]; read; read = chunks[++next]) {
        const from = cursor;
        const isVoid = read.finished || attempts.isClosed(read.chunk);
        if (!isVoid && !isDue(read)) return;
        cursor = { ...cursor, chunkId: read.id };
        // More chunks of it may be announced.
        if (read.finished) attempts.closePlace(read.chunk);
        if (!isVoid) deliveries.push(...takeChunk(read.chunk, { from, cursor, attempts }));
      }
    },
    sendEvent: (event: ConversationEvent) => {
      const place = toPlace(event);
      if (place && attempts.hasOther(place)) deliveries.push(toReset(place, cursor));
      cursor = { ...cursor, seq: event.seq };
      deliveries.push({ cursor, event });
      attempts.close(event);
    },
    isDrained: () => next >= chunks.length,
    result: () => ({ deliveries, cursor }),
  };
}
