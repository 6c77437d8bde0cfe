import type { FetchLike } from '@modelcontextprotocol/client';
import { HoldfastError } from '../../domain/errors.ts';
import { capStream, readCapped } from '../../platform/egress/capped-body.ts';
import { currentRequest, type ByteBudget, type PendingRequest } from './pending-request.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** How much of an answer with an error status is read, for its message. */
const maxErrorBytes = 64 * 1024;

function tooLarge(maxBytes: number): HoldfastError {
  const message = `The MCP server sent a message of more than ${maxBytes} bytes; the rest was not read.`;
  return new HoldfastError('RESPONSE_TOO_LARGE', message, { details: { readBytes: maxBytes } });
}

/** Creates a function that counts the bytes of the current event; an event ends with an empty line. */
function createEventCounter(): (chunk: Uint8Array) => number {
  let bytes = 0;
  let isLineEmpty = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === carriageReturn) continue;
      bytes = byte === lineFeed && isLineEmpty ? 0 : bytes + 1;
      isLineEmpty = byte === lineFeed;
    }
    return bytes;
  };
}

/** Limits each event of a stream; the stream itself may be of any length. */
function capEvents(stream: ReadableStream<Uint8Array>, maxBytes: number): ReadableStream<Uint8Array> {
  const count = createEventCounter();
  const guard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (count(chunk) > maxBytes) controller.error(tooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(guard);
}

/** Counts the bytes of a stream against a budget that it shares with other streams. */
function capByBudget(stream: ReadableStream<Uint8Array>, budget: ByteBudget): ReadableStream<Uint8Array> {
  const guard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      budget.left -= chunk.byteLength;
      if (budget.left < 0) controller.error(tooLarge(budget.maxBytes));
      else controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(guard);
}

/** Passes a stream on, and fails the pending request when the stream exceeds its limit. */
function reportOverflow(stream: ReadableStream<Uint8Array>, pending: PendingRequest, maxBytes: number) {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          const isTooLarge = error instanceof HoldfastError && error.code === 'RESPONSE_TOO_LARGE';
          if (isTooLarge) pending.fail(tooLarge(pending.budget?.maxBytes ?? maxBytes));
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

interface BodyCap {
  maxBytes: number;
  isStream: boolean;
  budget: ByteBudget | undefined;
}

function capBody(body: ReadableStream<Uint8Array>, { maxBytes, isStream, budget }: BodyCap) {
  if (budget) return capByBudget(body, budget);
  return isStream ? capEvents(body, maxBytes) : capStream(body, maxBytes);
}

/**
 * Creates a fetch that reads at most `maxBytes` of a message: of a JSON body, or of one event of a stream. A request
 * with a longer answer fails with RESPONSE_TOO_LARGE at once; an answer with an error status is cut.
 */
export function createCappedFetch(fetch: FetchLike, maxBytes: number): FetchLike {
  return async (url, init) => {
    const pending = currentRequest();
    const response = await fetch(url, init);
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    if (pending) pending.isStreamed = isStream;
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    if (!response.ok) {
      const { bytes } = await readCapped(response, maxErrorBytes);
      return new Response(Buffer.from(bytes), { status, statusText, headers });
    }
    const capped = capBody(response.body as ReadableStream<Uint8Array>, {
      maxBytes,
      isStream,
      budget: pending?.budget,
    });
    const body = pending ? reportOverflow(capped, pending, maxBytes) : capped;
    return new Response(body, { status, statusText, headers });
  };
}
