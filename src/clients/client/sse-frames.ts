import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { HoldfastApiError } from './holdfast-api-error.ts';

interface FrameOptions {
  /** How long no bytes may arrive before the stream counts as lost, in milliseconds. */
  silenceMs: number;
  /** Called when the server names the pause before the next attempt. */
  onRetry: (delayMs: number) => void;
  /** Called for each comment, which shows that the server lives. */
  onComment: () => void;
}

/**
 * Reads the frames of a stream of server-sent events; a frame that was cut off is left out.
 * @throws HoldfastApiError `CONNECTION_FAILED` when the stream breaks or falls silent
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  { silenceMs, ...listeners }: FrameOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const frames: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (frame) => frames.push(frame), ...listeners });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silenceMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* frames.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, silenceMs: number) {
  const silence = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    silence.reject(new Error(`nothing came for ${silenceMs} ms`));
  }, silenceMs);
  try {
    return await Promise.race([reader.read(), silence.promise]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastApiError('CONNECTION_FAILED', `The stream of events broke: ${reason}`, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}
