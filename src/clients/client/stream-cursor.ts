import type { EventSourceMessage } from 'eventsource-parser';
import type { ConversationEvent } from './generated/types.ts';
import { HoldfastApiError } from './holdfast-api-error.ts';
import type { ReceivedEvent, StreamChunk } from './received-event.ts';

/** Remembers the position in a stream and accepts each event once, however often it is delivered. */
export interface StreamCursor {
  /** The id to resume after; undefined before the first event. */
  id(): string | undefined;
  /** The event in a frame, or undefined when it was accepted before. */
  accept(frame: Pick<EventSourceMessage, 'id' | 'data'>): ReceivedEvent | undefined;
}

/**
 * Starts after `lastEventId`, which has the form `<seq>.<chunkId>`: the number of the last stored event
 * and the id of the last piece of text.
 */
export function createStreamCursor(lastEventId?: string): StreamCursor {
  let id = lastEventId;
  const [seq, chunkId] = (lastEventId ?? '').split('.');
  let lastSeq = Number(seq) || 0;
  let lastChunkId = toChunkNumber(chunkId) ?? 0n;

  function isNew(event: ConversationEvent | StreamChunk): boolean {
    if ('seq' in event) {
      if (event.seq <= lastSeq) return false;
      lastSeq = event.seq;
      return true;
    }
    const number = toChunkNumber(event.id);
    if (number === undefined) return true;
    if (number <= lastChunkId) return false;
    lastChunkId = number;
    return true;
  }

  return {
    id: () => id,
    accept: (frame) => {
      const event = parseEvent(frame.data);
      if (!isNew(event)) return undefined;
      id = frame.id ?? id ?? '';
      return { ...event, lastEventId: id };
    },
  };
}

function parseEvent(data: string): ConversationEvent | StreamChunk {
  try {
    return JSON.parse(data) as ConversationEvent | StreamChunk;
  } catch (cause) {
    throw new HoldfastApiError('UNEXPECTED_RESPONSE', 'Expected an event in JSON, found another text.', {
      cause,
    });
  }
}

// Ids of pieces come from one sequence of 64 bits, which a number cannot hold.
function toChunkNumber(id: string | undefined): bigint | undefined {
  return id !== undefined && /^\d+$/.test(id) ? BigInt(id) : undefined;
}
