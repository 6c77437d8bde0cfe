import type { HoldfastClient, ReceivedEvent } from '../client/index.ts';
import { toFailure } from './failure.ts';

/** An event as a reader gets it: `type` is the `event` of its frame. */
export interface SentEvent {
  type: string;
  [field: string]: unknown;
}

/** How a turn is sent. */
export interface SseOptions {
  /** Continues after this event, the `Last-Event-ID` of a reader that reconnects. @default from the start */
  lastEventId?: string | undefined;
  /** Ends the stream, and the stream of the API. */
  signal?: AbortSignal | undefined;
  /** Returns what the reader gets of an event, or null to leave it out. @default the event */
  toEvent?: ((event: ReceivedEvent) => SentEvent | null) | undefined;
  /**
   * An event before those of the turn, which has no cursor. With it the response begins before the API has answered, and
   * a refusal is sent as `stream.error`.
   */
  opening?: SentEvent | undefined;
  /** The time between two comments, in milliseconds. @default 15000 */
  heartbeatMs?: number | undefined;
  /** Called with the error that ended a stream as `stream.error`. */
  onError?: ((error: unknown) => void) | undefined;
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Keeps nginx from collecting the events.
  'x-accel-buffering': 'no',
};

/**
 * Returns a response with the events of a turn as server-sent events, until the turn is settled. The `id` of a frame is
 * the cursor after which the next stream continues. The status is 204 when the reader has the last event already, so that
 * an `EventSource` does not reconnect. While the turn waits for people the stream stays open. A stream that the API ends
 * for good has a last event `stream.error` with `{ error: { code, message } }`. The stream of the API ends when
 * the reader disconnects.
 * @throws HoldfastApiError when the API refuses the stream, unless there is an `opening`
 */
export async function toSse(
  holdfast: HoldfastClient,
  turnId: string,
  options: SseOptions = {},
): Promise<Response> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const opened = Promise.withResolvers<undefined>();
  const stream = { lastEventId: options.lastEventId, signal, onOpen: () => opened.resolve(undefined) };
  const events = holdfast.turns.stream(turnId, stream)[Symbol.asyncIterator]();
  const first = events.next();
  first.catch(() => undefined);
  if (!options.opening) {
    const begun = await Promise.race([opened.promise, first]);
    if (begun?.done) return new Response(null, { status: 204 });
  }
  const frames = toFrames(withFirst(first, events), { ...options, signal });
  return new Response(toBody(frames, { signal, end: () => stop.abort() }, options.heartbeatMs), { headers });
}

async function* withFirst<Item>(
  first: Promise<IteratorResult<Item>>,
  rest: AsyncIterator<Item>,
): AsyncGenerator<Item, void> {
  for (let result = await first; !result.done; result = await rest.next()) yield result.value;
}

async function* toFrames(
  events: AsyncIterable<ReceivedEvent>,
  { opening, toEvent = (event) => event, signal, onError }: SseOptions,
): AsyncGenerator<string, void> {
  yield 'retry: 1000\n\n';
  if (opening) yield toFrame(opening);
  try {
    for await (const event of events) {
      const sent = toEvent(event);
      if (sent) yield `id: ${event.lastEventId}\n${toFrame(sent)}`;
    }
  } catch (error) {
    if (signal?.aborted) return;
    onError?.(error);
    yield toFrame({ type: 'stream.error', ...toFailure(error).shown });
  }
}

/** One `data` line is enough, since JSON has no line breaks. */
function toFrame(event: SentEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

interface Ending {
  signal: AbortSignal;
  /** Aborts the signal. */
  end: () => void;
}

/** Reads a frame when the reader takes one, and sends comments in between. */
function toBody(frames: AsyncGenerator<string, void>, { signal, end }: Ending, heartbeatMs = 15_000) {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': keep-alive\n\n'));
      }, heartbeatMs);
      signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true });
      if (signal.aborted) clearInterval(heartbeat);
    },
    pull: async (controller) => {
      const frame = await frames.next();
      if (!frame.done) {
        controller.enqueue(encoder.encode(frame.value));
        return;
      }
      end();
      controller.close();
    },
    cancel: end,
  });
}
