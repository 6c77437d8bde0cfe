import type { NewChunk, StreamChunkWriter } from '../../src/db/turns/stream-chunk-writer.ts';
import type { Notifier } from '../../src/db/wakeups.ts';

/** The time for which pieces are collected before they are written, in milliseconds. */
const collectMs = 40;

interface TextStreamOptions {
  workspaceId: string;
  position: Omit<NewChunk, 'text'>;
  appendChunks: StreamChunkWriter;
  notifier: Pick<Notifier, 'events'>;
  onError: (error: unknown) => void;
}

/**
 * Takes pieces of text as fast as they come and writes them in order, a few at a time. What is lost on the way
 * does no harm: the finished text always comes from the stored message.
 */
export function createTextStream({
  workspaceId,
  position,
  appendChunks,
  notifier,
  onError,
}: TextStreamOptions) {
  let collected = '';
  let hasWritten = false;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(text: string | null): void {
    writing = writing
      .then(() => appendChunks(workspaceId, { ...position, text }))
      .then(() => notifier.events(position.conversationId))
      .catch(onError);
  }

  function writeCollected(): void {
    timer = undefined;
    hasWritten = true;
    const text = collected;
    collected = '';
    write(text);
  }

  return {
    push: (text: string): void => {
      collected += text;
      timer ??= setTimeout(writeCollected, collectMs);
    },
    /** Tells readers that what they saw of this iteration is void. */
    reset: (): void => write(null),
    /**
     * Ends a text that is finished and waits for what is on its way, so that no piece comes after the stored message.
     * A text that came all at once is not streamed: the message brings it as soon as its pieces could.
     */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      if (hasWritten && collected !== '') writeCollected();
      await writing;
    },
    /** Writes what is collected and stops: for a text that will not be finished. */
    flush: async (): Promise<void> => {
      clearTimeout(timer);
      if (collected !== '') writeCollected();
      await writing;
    },
  };
}
