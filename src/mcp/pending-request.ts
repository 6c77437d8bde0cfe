import { AsyncLocalStorage } from 'node:async_hooks';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { HoldfastError } from '../domain/errors.ts';

/** Bytes that may still be read; shared by everything that is read for one request. */
export interface ByteBudget {
  readonly maxBytes: number;
  left: number;
}

/** What is known of a request before it is sent. */
export interface RequestParts {
  /** The signal of whoever waits for it. */
  signal?: AbortSignal | undefined;
  /** Of all its answers together, such as the pages of a list. */
  maxBytes?: number;
}

/**
 * A request under way: what its transport tells of it, beside the SDK, which knows neither a stream that ends
 * without an answer nor an answer that is too large, and would wait for its timeout.
 */
export interface PendingRequest {
  /** Aborts the request in the SDK; fires by the caller's signal and by `fail`. */
  signal: AbortSignal;
  /** Aborts the response stream of the request, after the SDK has let go of it. */
  streamSignal: AbortSignal;
  /** Fails the request, unless it has been answered. */
  fail: (error: HoldfastError) => void;
  /** What the transport told, when `error` is what became of it; otherwise the error itself. */
  toCause: (error: unknown) => unknown;
  /** Whether the response is a stream, which may go on after the sending of the request is over. */
  isStreamed: boolean;
  /** How many bytes all answers to the request together may have; without it each message has its own cap. */
  budget: ByteBudget | undefined;
  /** Ends the response stream: a server that never answers would keep it open for ever. */
  abandon: () => void;
}

/** How long a server has to end the stream of a request that it has answered, in milliseconds. */
const streamEndMs = 1_000;

const pendingRequests = new AsyncLocalStorage<PendingRequest>();

/** The request that the running code belongs to. */
export function currentRequest(): PendingRequest | undefined {
  return pendingRequests.getStore();
}

interface Told {
  cause: HoldfastError;
}

function createPendingRequest({ signal: callerSignal, maxBytes }: RequestParts): PendingRequest {
  const failing = new AbortController();
  const stream = new AbortController();
  return {
    signal: callerSignal ? AbortSignal.any([callerSignal, failing.signal]) : failing.signal,
    streamSignal: stream.signal,
    // The SDK rejects with the very reason of its signal when that is an error of its own class.
    fail: (error) =>
      failing.abort(new SdkError(SdkErrorCode.ConnectionClosed, error.message, { cause: error })),
    toCause: (error) =>
      error === failing.signal.reason ? (error as SdkError & { data: Told }).data.cause : error,
    isStreamed: false,
    budget: maxBytes === undefined ? undefined : { maxBytes, left: maxBytes },
    abandon: () => stream.abort(),
  };
}

/**
 * Runs a request of the SDK with a way for its transport to fail it, and ends its stream: at once when it
 * came to nothing. Throws what the transport told, rather than what the SDK made of it.
 */
export async function runRequest<Result>(
  parts: RequestParts,
  request: (pending: PendingRequest) => Promise<Result>,
): Promise<Result> {
  const pending = createPendingRequest(parts);
  try {
    const result = await pendingRequests.run(pending, () => request(pending));
    // Nothing more is expected of the stream, and the SDK would read it for as long as its server likes.
    if (pending.isStreamed) setTimeout(pending.abandon, streamEndMs).unref();
    return result;
  } catch (error) {
    pending.abandon();
    throw pending.toCause(error);
  }
}
