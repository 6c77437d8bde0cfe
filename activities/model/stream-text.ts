import type { NewChunk, StreamChunkWriter } from '../../src/modules/turns/events/stream-chunk-writer.ts';
import type { Notifier } from '../../src/platform/database/wakeups.ts';

/** The time for which the first pieces of an answer are collected before they are written, in milliseconds. */
const firstCollectMs = 40;

/** The same for later pieces. Each write is a transaction and wakes every reader, and ten a second read as steady text. */
const collectMs = 100;

interface TextStreamOptions {
  workspaceId: string;
  position: Omit<NewChunk, 'text'>;
  appendChunks: StreamChunkWriter;
  notifier: Pick<Notifier, 'events'>;
  onError: (error: unknown) => void;
}

/** A piece of text, or a function that returns it when it is written. */
type Piece = string | (() => string);

/**
 * Accepts pieces of text at any speed and writes them in order, a few at a time. A lost piece does no harm, since
 * readers get the finished text from the stored message.
 */
export function createTextStream({
  workspaceId,
  position,
  appendChunks,
  notifier,
  onError,
}: TextStreamOptions) {
  let collected: Piece[] = [];
  let hasWritten = false;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let isWriting = false;

  function write(takeText: () => string | null): void {
    isWriting = true;
    writing = writing
      .then(async () => {
        const text = takeText();
        if (text === '') return;
        await appendChunks(workspaceId, { ...position, text });
        notifier.events(position.conversationId);
      })
      .catch(onError)
      .finally(() => (isWriting = false));
  }

  /** Waits for the write before, so that pieces pile up in memory and not as writes while the database is unreachable. */
  function writeCollected(): void {
    timer = isWriting ? setTimeout(writeCollected, collectMs) : undefined;
    if (!isWriting) writeNow();
  }

  function writeNow(): void {
    hasWritten = true;
    write(() => {
      const pieces = collected;
      collected = [];
      return pieces.map((piece) => (typeof piece === 'string' ? piece : piece())).join('');
    });
  }

  return {
    push: (piece: Piece): void => {
      collected.push(piece);
      timer ??= setTimeout(writeCollected, hasWritten ? collectMs : firstCollectMs);
    },
    /** Makes readers discard the text that they have received for this iteration. */
    reset: (): void => write(() => null),
    /**
     * Ends a finished text and waits for pending writes, so that no piece arrives after the stored message.
     * A text that arrived as a whole is not streamed, because the stored message is as fast.
     */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      if (hasWritten && collected.length > 0) writeNow();
      await writing;
    },
    /** Writes the collected pieces and stops. Used for a text that will not be finished. */
    flush: async (): Promise<void> => {
      clearTimeout(timer);
      if (collected.length > 0) writeNow();
      await writing;
    },
  };
}
