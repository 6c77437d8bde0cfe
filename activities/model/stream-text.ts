import type {
  ChunkPlace,
  StreamChunkWriter,
  TakeText,
} from '../../src/modules/turns/events/stream-chunk-writer.ts';

/** The time for which the first pieces of an answer are collected, in milliseconds. An answer that is whole by then is not streamed. */
const firstCollectMs = 2;

/** The least time from one write of the process to the one with the first pieces of an answer, in milliseconds. */
const firstPauseMs = 12;

/** The least time from one write of the process to the one with the last pieces, in milliseconds. The answer is stored after them. */
const lastPauseMs = 24;

interface TextStreamOptions {
  place: ChunkPlace;
  writeChunk: StreamChunkWriter;
  onError: (error: unknown) => void;
}

/** A piece of text, or a function that returns it when it is written. */
type Piece = string | (() => string);

/**
 * Accepts pieces of text at any speed and writes them in order, a few at a time. A lost piece does no harm, since
 * readers get the finished text from the stored message.
 */
export function createTextStream({ place, writeChunk, onError }: TextStreamOptions) {
  let collected: Piece[] = [];
  let hasWritten = false;
  let isQueued = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function write(take: TakeText, pauseMs?: number): void {
    const written = writeChunk(place, take, pauseMs).catch(onError);
    writing = writing.then(() => written);
  }

  /** Pieces pile up in memory and not as writes while the database is unreachable. */
  function writeCollected(pauseMs?: number): void {
    clearTimeout(timer);
    timer = undefined;
    if (isQueued && pauseMs === undefined) return;
    isQueued = hasWritten = true;
    write(() => {
      isQueued = false;
      const pieces = collected;
      collected = [];
      return pieces.map((piece) => (typeof piece === 'string' ? piece : piece())).join('');
    }, pauseMs);
  }

  return {
    push: (piece: Piece): void => {
      collected.push(piece);
      if (hasWritten) writeCollected();
      else timer ??= setTimeout(() => writeCollected(firstPauseMs), firstCollectMs);
    },
    /** Makes readers discard the text that they have received for this iteration. */
    reset: (): void => write(() => null),
    /**
     * Ends a finished text and waits for pending writes, so that no piece arrives after the stored message.
     * A text that arrived as a whole is not streamed, because the stored message is as fast.
     */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      if (hasWritten && collected.length > 0) writeCollected(lastPauseMs);
      await writing;
    },
    /** Writes the collected pieces and stops. Used for a text that will not be finished. */
    flush: async (): Promise<void> => {
      clearTimeout(timer);
      if (collected.length > 0) writeCollected(lastPauseMs);
      await writing;
    },
  };
}
