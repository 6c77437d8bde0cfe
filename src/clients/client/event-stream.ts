import { HoldfastApiError } from './holdfast-api-error.ts';
import type { ApiTransport } from './api-transport.ts';
import type { EventSourceMessage } from 'eventsource-parser';
import { pause } from './pause.ts';
import { isTransient, toDelayMs } from './retry-policy.ts';
import { readFrames } from './sse-frames.ts';

/** Why a lost stream is opened again, and when. */
export interface Reconnect {
  /** How many failures there have been in a row. */
  failures: number;
  delayMs: number;
  /** The error that broke the stream; undefined when the server closed it. */
  error: unknown;
}

/** How to follow a stream. */
export interface StreamOptions {
  /** Continues after this event instead of from the start. */
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Called each time that the server has opened the stream, before its first event. */
  onOpen?: (() => void) | undefined;
  onReconnect?: ((reconnect: Reconnect) => void) | undefined;
}

interface EventSource<Event> {
  path: string;
  cursor: StreamCursor<Event>;
  /** @default the stream does not end */
  isLast?: (event: Event) => boolean;
}

/** Remembers the position in a stream, and accepts each event once. */
export interface StreamCursor<Event> {
  /** The id to resume after; undefined before the first event. */
  id(): string | undefined;
  /** The event in a frame, or undefined when it was accepted before. */
  accept(frame: Pick<EventSourceMessage, 'id' | 'data'>): Event | undefined;
}

/** A stream that is silent for longer counts as lost; servers send a comment more often. */
const silenceMs = 60_000;

/**
 * Follows a stream of events, each exactly once and in order, across interruptions of the network, until `isLast`
 * or until the server has nothing more.
 * @throws HoldfastApiError when the stream is refused or stays lost; the signal's reason when aborted
 */
export async function* streamEvents<Event>(
  transport: ApiTransport,
  { path, cursor, isLast }: EventSource<Event>,
  options: Omit<StreamOptions, 'lastEventId'>,
): AsyncGenerator<Event, void, undefined> {
  const policy = transport.retryPolicy;
  const signal = transport.toSignal(options.signal);
  let serverDelayMs: number | undefined;
  for (let failures = 0; ;) {
    let lost: unknown;
    try {
      const body = await openStream(transport, path, { signal, lastEventId: cursor.id() });
      if (body === null) return;
      options.onOpen?.();
      const onRetry = (delayMs: number) => (serverDelayMs = delayMs);
      const onComment = () => (failures = 0);
      for await (const frame of readFrames(body, { silenceMs, onRetry, onComment })) {
        failures = 0;
        const event = cursor.accept(frame);
        if (event === undefined) continue;
        yield event;
        if (isLast?.(event)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error) && !isServerFault(error)) throw error;
      lost = error;
    }
    failures += 1;
    if (failures > policy.reconnects) throw toLostError(lost);
    const delayMs = failures === 1 && serverDelayMs ? serverDelayMs : toDelayMs(policy, failures, lost);
    options.onReconnect?.({ failures, delayMs, error: lost });
    await pause(delayMs, signal);
  }
}

// Opening a stream changes nothing, so it may be tried again after a 500 too.
function isServerFault(error: unknown): boolean {
  return error instanceof HoldfastApiError && (error.status === 500 || error.status === 429);
}

function toLostError(error: unknown): unknown {
  return error ?? new HoldfastApiError('CONNECTION_FAILED', 'The server closes the stream again and again.');
}

async function openStream(transport: ApiTransport, path: string, options: StreamOptions) {
  const { lastEventId, signal } = options;
  const response = await transport.open({
    path,
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal,
  });
  if (response.status === 204) return null;
  const type = response.headers.get('content-type') ?? 'no content type';
  if (response.body !== null && type.startsWith('text/event-stream')) return response.body;
  await response.body?.cancel();
  throw new HoldfastApiError('UNEXPECTED_RESPONSE', `Expected a stream of events, found ${type}.`, {
    status: response.status,
  });
}
