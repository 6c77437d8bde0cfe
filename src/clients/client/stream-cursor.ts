import type { StreamCursor } from './event-stream.ts';
import type { ConversationEvent } from './generated/types.ts';
import { HoldfastApiError } from './holdfast-api-error.ts';
import type { ReceivedEvent, StreamChunk } from './received-event.ts';

/**
 * Creates the cursor of a stream of turns, which accepts each event once, however often it is delivered. It starts after
 * `lastEventId`, which has the form `<seq>.<chunkId>`: the number of the last stored event and the id of the last piece of
 * text.
 */
export function createStreamCursor(lastEventId?: string): StreamCursor<ReceivedEvent> {
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
      const event = parseEvent(frame.data) as ConversationEvent | StreamChunk;
      if (!isNew(event)) return undefined;
      id = frame.id ?? id ?? '';
      return { ...event, lastEventId: id };
    },
  };
}

/**
 * Parses the data of a frame.
 * @throws HoldfastApiError `UNEXPECTED_RESPONSE` when it is no JSON
 */
export function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
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
