import { setTimeout as sleep } from 'node:timers/promises';
import { HoldfastError } from '../../domain/errors.ts';
import type { OpenConnection } from '../../domain/connection.ts';
import type { JsonValue } from '../../domain/json.ts';
import { toMaxWaitMs, toRateLimitedResult } from '../../domain/rate-limiter.ts';
import type { FailedResult } from '../../domain/tool.ts';
import { ToolInterruptedError } from '../../domain/tool-interrupted.ts';
import { readCapped } from '../../platform/egress/capped-body.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import { wasSent } from '../../platform/egress/was-sent.ts';
import type { BuiltRequest } from './build-request.ts';
import { isThrottled, isUncertain, readMessage, readWait, type ErrorReader } from './read-error.ts';

const mostRedirects = 3;

const maxAnswerBytes = 1024 * 1024;
/** The least wait before a request is sent again, doubled each time, since a vendor may ask for no wait at all. */
const firstWaitMs = 500;

/** How long a request may take, and the signals that end it. */
export interface TimeBudget {
  timeoutMs: number;
  /** In epoch milliseconds. */
  deadline: number;
  /** Fires when the time is over. */
  timeout: AbortSignal;
  /** The signal of the caller. */
  signal: AbortSignal | undefined;
}

/** Starts the time budget of a call. */
export function startTime(timeoutMs: number, signal?: AbortSignal): TimeBudget {
  return { timeoutMs, deadline: Date.now() + timeoutMs, timeout: AbortSignal.timeout(timeoutMs), signal };
}

/** Returns how long a call may wait before its request, in milliseconds. */
export function maxWaitOf({ deadline }: TimeBudget): number {
  return toMaxWaitMs(deadline - Date.now());
}

/** An answer of a vendor, read up to 1 MiB, or up to `maxBytes` of the request. */
export interface ReadAnswer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  /** `text` parsed when it is JSON, otherwise `text`. */
  body: JsonValue;
  truncated: boolean;
}

/** A request that was answered, with a success or an error. */
export interface Answered {
  status: 'answered';
  answer: ReadAnswer;
}

interface SendOptions {
  provider: ErrorReader;
  connection: OpenConnection;
  request: BuiltRequest;
  time: TimeBudget;
  /** @default 1 MiB */
  maxBytes?: number;
  /** Follows redirects to a file; without it a redirect is an answer. */
  fetchFile?: GuardedFetch | undefined;
}

/**
 * Sends a request and reads its answer. A request that exceeds the vendor's rate limit is sent again after the time
 * that the vendor asks for; when the budget is too short for that, the result is a failure.
 * @throws ToolInterruptedError when no answer came, or the answer leaves the outcome open (408, 5xx)
 */
export async function sendRequest(options: SendOptions): Promise<Answered | FailedResult> {
  for (let leastWaitMs = firstWaitMs; ; leastWaitMs *= 2) {
    const answer = await sendOnce(options);
    if (!isThrottled(options.provider, answer)) return toAnswered(options, answer);
    const askedMs = readWait(options.provider, answer);
    if (askedMs === undefined) return toRateLimited(options, answer);
    const waitMs = Math.max(askedMs, leastWaitMs);
    if (waitMs > maxWaitOf(options.time)) return toRateLimitedResult(options.provider.title, waitMs);
    await wait(waitMs, options.time);
  }
}

async function sendOnce(options: SendOptions): Promise<ReadAnswer> {
  const { connection, request, time, provider, maxBytes = maxAnswerBytes, fetchFile } = options;
  const signal = time.signal ? AbortSignal.any([time.signal, time.timeout]) : time.timeout;
  try {
    const { url, init } = request;
    const first = await connection.fetch(url, { ...init, signal });
    const response = fetchFile ? await followRedirects(first, { url, fetch: fetchFile, signal }) : first;
    return toAnswer(response, await readCapped(response, maxBytes));
  } catch (error) {
    time.signal?.throwIfAborted();
    throw toInterruption(error, provider.title, time);
  }
}

function toAnswer(
  { status, headers }: Response,
  { bytes, truncated }: Awaited<ReturnType<typeof readCapped>>,
): ReadAnswer {
  const text = new TextDecoder().decode(bytes.subarray(0, maxAnswerBytes), { stream: truncated });
  return { status, headers, bytes, text, body: parseBody(text), truncated };
}

function parseBody(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function toInterruption(error: unknown, title: string, { timeout, timeoutMs }: TimeBudget): Error {
  // The connection threw it: before anything was sent, or after a 401, which took no effect.
  if (error instanceof HoldfastError) return error;
  if (timeout.aborted) {
    const message = `${title} did not answer within ${timeoutMs} ms.`;
    return new ToolInterruptedError('TOOL_TIMED_OUT', message, { sent: true, cause: error });
  }
  return wasSent(error)
    ? new ToolInterruptedError(
        'TOOL_UNAVAILABLE',
        `The request to ${title} failed before its answer was complete.`,
        {
          sent: true,
          cause: error,
        },
      )
    : new ToolInterruptedError('TOOL_UNREACHABLE', `${title} cannot be reached.`, {
        sent: false,
        cause: error,
      });
}

function toRateLimited({ provider, connection }: SendOptions, { status, body }: ReadAnswer): FailedResult {
  const reason = readMessage(provider, { body });
  const message = `${provider.title} takes no more requests for now${reason === null ? '' : ` (${reason})`}. Try again later.`;
  return {
    status: 'failed',
    error: { code: 'RATE_LIMITED', message: connection.redact(message), details: { status } },
  };
}

function toAnswered(options: SendOptions, answer: ReadAnswer): Answered {
  const { provider, connection } = options;
  if (!isUncertain(provider, answer)) return { status: 'answered', answer };
  const reason = readMessage(provider, answer);
  const message = `${provider.title} answered with HTTP ${answer.status}${reason === null ? '' : `: ${reason}`}.`;
  const retryAfterMs = readWait(provider, answer);
  throw new ToolInterruptedError('TOOL_UNAVAILABLE', connection.redact(message), {
    sent: true,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

async function wait(ms: number, { signal }: TimeBudget): Promise<void> {
  try {
    await sleep(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

interface Followed {
  /** The address that gave the response. */
  url: string;
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/**
 * Follows redirects to a file, without credentials: vendors keep files on other hosts and sign their addresses. A redirect
 * that leads nowhere, from https to http, or on after three others is returned as it is.
 */
async function followRedirects(response: Response, { url, fetch, signal }: Followed): Promise<Response> {
  let current = response;
  let from = new URL(url);
  for (let count = 0; count < mostRedirects; count += 1) {
    const target = findTarget(current, from);
    if (!target) return current;
    await current.body?.cancel();
    current = await fetch(target, { signal });
    from = target;
  }
  return current;
}

function findTarget({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return null;
  const target = URL.parse(location, from.href);
  return target && (target.protocol === 'https:' || from.protocol === 'http:') ? target : null;
}
