import { AsyncLocalStorage } from 'node:async_hooks';
import { SdkError, SdkErrorCode, type ElicitResult } from '@modelcontextprotocol/client';
import type { HoldfastError } from '../../domain/errors.ts';

/** How many bytes may still be read; all answers to one request share it. */
export interface ByteBudget {
  readonly maxBytes: number;
  left: number;
}

/** Answers what a server asks during one call: the parameters of `elicitation/create`. */
export type Elicit = (params: unknown, withdrawn: AbortSignal) => Promise<ElicitResult>;

/** The signal and the limit of a request. */
export interface RequestParts {
  /** Fires when the caller aborts. */
  signal?: AbortSignal | undefined;
  /** The limit of all answers together, such as the pages of a list. */
  maxBytes?: number;
  /** Answers what the server asks in its response. @default each question is cancelled */
  elicit?: Elicit | undefined;
}

/**
 * A request that is not answered yet. The transport fails it when its stream ends without an answer or its answer is
 * too large; the SDK notices neither, and would wait for its timeout.
 */
export interface PendingRequest {
  /** Aborts the request in the SDK; fires with the caller's signal and by `fail`. */
  signal: AbortSignal;
  /** Aborts the response stream, which the SDK continues reading after the request has ended. */
  streamSignal: AbortSignal;
  /** Fails the request, unless it was answered. */
  fail: (error: HoldfastError) => void;
  /** Returns the error that the transport gave to `fail`, when the SDK wrapped it in `error`; otherwise `error`. */
  toCause: (error: unknown) => unknown;
  /** Whether the response is a stream, which may continue after `send` has returned. */
  isStreamed: boolean;
  /** The limit of all answers together; without it each message has its own limit. */
  budget: ByteBudget | undefined;
  /** Ends the response stream, which a server could keep open for ever. */
  abandon: () => void;
  elicit: Elicit | undefined;
}

/** How long after its answer a server may keep the stream of a request open, in milliseconds. */
const streamEndMs = 1_000;

const pendingRequests = new AsyncLocalStorage<PendingRequest>();

/** Returns the request that the running code belongs to. */
export function currentRequest(): PendingRequest | undefined {
  return pendingRequests.getStore();
}

interface WrappedError {
  cause: HoldfastError;
}

function createPendingRequest({ signal: callerSignal, maxBytes, elicit }: RequestParts): PendingRequest {
  const failing = new AbortController();
  const stream = new AbortController();
  return {
    signal: callerSignal ? AbortSignal.any([callerSignal, failing.signal]) : failing.signal,
    streamSignal: stream.signal,
    // The SDK rejects with the reason of its signal unchanged when that is an SdkError.
    fail: (error) =>
      failing.abort(new SdkError(SdkErrorCode.ConnectionClosed, error.message, { cause: error })),
    toCause: (error) =>
      error === failing.signal.reason ? (error as SdkError & { data: WrappedError }).data.cause : error,
    isStreamed: false,
    budget: maxBytes === undefined ? undefined : { maxBytes, left: maxBytes },
    abandon: () => stream.abort(),
    elicit,
  };
}

/**
 * Runs a request of the SDK as a pending request, which its transport can fail, and ends its stream afterwards: at
 * once when the request failed.
 * @throws the error of the transport when it failed the request, otherwise the error of the SDK
 */
export async function runRequest<Result>(
  parts: RequestParts,
  request: (pending: PendingRequest) => Promise<Result>,
): Promise<Result> {
  const pending = createPendingRequest(parts);
  try {
    const result = await pendingRequests.run(pending, () => request(pending));
    // The SDK would read the stream for as long as the server sends.
    if (pending.isStreamed) setTimeout(pending.abandon, streamEndMs).unref();
    return result;
  } catch (error) {
    pending.abandon();
    throw pending.toCause(error);
  }
}
