import type { ConversationEvent, StreamChunk } from '../../../domain/event.ts';
import type { NewestAttempt } from '../events/stream-chunk-repository.ts';

type Place = Pick<StreamChunk, 'turnId' | 'iteration' | 'attempt'>;

/** The attempts at unfinished messages that one reader has seen, and the messages that it was sent. */
export interface NewestAttempts {
  /** Whether a chunk is of the newest attempt seen so far; notes the attempt. */
  isNewest: (chunk: Place) => boolean;
  /** Whether the reader may have pieces of another attempt than that of a piece or message, which are void then. */
  hasOther: (place: Place) => boolean;
  /** Whether the message of a chunk has been sent. */
  isClosed: (chunk: Place) => boolean;
  /** Notes that a message, or the end of a turn, was sent. */
  close: (event: ConversationEvent) => void;
  /** Notes that the message of a chunk is stored, or its turn has ended. */
  closePlace: (chunk: Omit<Place, 'attempt'>) => void;
}

/** Starts with the attempts that a returning reader has seen. Remembers the newest turns only, to stay small. */
export function createNewestAttempts(seen: NewestAttempt[]): NewestAttempts {
  const newest = new Map(seen.map((one) => [toKey(one), one.attempt]));
  const closed = new Map<string, number>();
  const isClosed = ({ turnId, iteration }: Omit<Place, 'attempt'>) => iteration <= (closed.get(turnId) ?? -1);
  const closePlace = (place: Omit<Place, 'attempt'>) => {
    newest.delete(toKey(place));
    if (isClosed(place)) return;
    closed.delete(place.turnId);
    closed.set(place.turnId, place.iteration);
    forgetOldest(closed);
    forgetOldest(newest);
  };
  for (const one of seen) if (one.isClosed) closePlace(one);
  return {
    isNewest: (chunk) => {
      const key = toKey(chunk);
      if (chunk.attempt < (newest.get(key) ?? 0)) return false;
      newest.set(key, chunk.attempt);
      return true;
    },
    hasOther: (place) => (newest.get(toKey(place)) ?? place.attempt) !== place.attempt,
    isClosed,
    close: (event) => {
      const iteration = toClosedIteration(event);
      if (iteration !== null) closePlace({ turnId: event.turnId, iteration });
    },
    closePlace,
  };
}

/** Chunks of forgotten turns are still recognized as void, by `finished` of the row that is read. */
const rememberedPlaces = 100;

function forgetOldest(places: Map<string, number>): void {
  const [oldest] = places.keys();
  if (places.size > rememberedPlaces && oldest !== undefined) places.delete(oldest);
}

function toKey({ turnId, iteration }: Omit<Place, 'attempt'>): string {
  return `${turnId}:${iteration}`;
}

function toClosedIteration(event: ConversationEvent): number | null {
  if (event.type === 'turn.settled') return Number.POSITIVE_INFINITY;
  return event.type === 'message.created' ? event.payload.iteration : null;
}
