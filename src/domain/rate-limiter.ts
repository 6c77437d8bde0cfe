import type { OpenConnection, RateLimit } from './connection.ts';
import type { FailedResult } from './tool.ts';

/** A wish to use some of a budget, and how long it may take to get it. */
export interface RateLimitRequest {
  /** What the budget belongs to: the id of a connection, with the name of an operation that has one of its own. */
  key: string;
  limit: RateLimit;
  /** The longest to wait, in milliseconds. */
  maxWaitMs: number;
  signal?: AbortSignal | undefined;
}

/** Whether a request may be made now; if not, when it may be (null: never, it takes more than a whole minute's budget). */
export type RateLimitGrant = { granted: true } | { granted: false; retryAfterMs: number | null };

/** Holds requests to their budgets, across all processes. */
export interface RateLimiter {
  /**
   * Takes what one request needs, and waits for it when that is not too long.
   * @throws HoldfastError `SERVICE_UNAVAILABLE` when the budget cannot be looked at; the signal's reason when aborted
   */
  take: (request: RateLimitRequest) => Promise<RateLimitGrant>;
}

/** Takes one request from the budget that a connection sets itself; a result for the model when it has to wait too long. */
export async function limitConnection(
  limiter: RateLimiter,
  { connection }: Pick<OpenConnection, 'connection'>,
  { maxWaitMs, signal }: Pick<RateLimitRequest, 'maxWaitMs' | 'signal'>,
): Promise<FailedResult | null> {
  if (connection.rateLimit === null) return null;
  const grant = await limiter.take({ key: connection.id, limit: connection.rateLimit, maxWaitMs, signal });
  return grant.granted ? null : toRateLimitedResult(connection.name, grant.retryAfterMs);
}

/** Tells the model when a call that was turned away may be tried again. */
export function toRateLimitedResult(subject: string, retryAfterMs: number | null): FailedResult {
  const when =
    retryAfterMs === null
      ? 'One request takes more than its limit allows in a minute'
      : `Try again in ${Math.ceil(retryAfterMs / 1000)} seconds`;
  return {
    status: 'failed',
    error: {
      code: 'RATE_LIMITED',
      message: `The rate limit of ${subject} is reached; nothing was done. ${when}.`,
      details: { retryAfterMs },
    },
  };
}

/** How much of the time that is left may be spent on waiting, so that enough of it stays for the request itself. */
export function toMaxWaitMs(timeLeftMs: number): number {
  return Math.max(0, timeLeftMs - Math.min(2_000, timeLeftMs / 5));
}
