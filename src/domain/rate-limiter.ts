import type { OpenConnection, RateLimit } from './connection.ts';
import type { FailedResult } from './tool.ts';

/** A request for one unit of a budget. */
export interface RateLimitRequest {
  /** The owner of the budget: the id of a connection, with `:operation` for an operation that has its own. */
  key: string;
  limit: RateLimit;
  /** The longest time to wait for the budget, in milliseconds. */
  maxWaitMs: number;
  signal?: AbortSignal | undefined;
}

/** Whether a request may be sent now. `retryAfterMs` is null when it never may: it exceeds the budget of a minute. */
export type RateLimitGrant = { granted: true } | { granted: false; retryAfterMs: number | null };

/** Enforces budgets across all processes. */
export interface RateLimiter {
  /**
   * Takes one unit of a budget, and waits for it up to `maxWaitMs`.
   * @throws HoldfastError `SERVICE_UNAVAILABLE` when the budget cannot be read; the signal's reason when aborted
   */
  take: (request: RateLimitRequest) => Promise<RateLimitGrant>;
}

/**
 * Takes one unit of a connection's own budget; returns a failed result when that would take longer than `maxWaitMs`.
 */
export async function limitConnection(
  limiter: RateLimiter,
  { connection }: Pick<OpenConnection, 'connection'>,
  { maxWaitMs, signal }: Pick<RateLimitRequest, 'maxWaitMs' | 'signal'>,
): Promise<FailedResult | null> {
  if (connection.rateLimit === null) return null;
  const grant = await limiter.take({ key: connection.id, limit: connection.rateLimit, maxWaitMs, signal });
  return grant.granted ? null : toRateLimitedResult(connection.name, grant.retryAfterMs);
}

/** Returns the result of a call that exceeds a rate limit; it says when to try again. */
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

/** Returns how much of the remaining time may be spent on waiting, so that enough is left for the request itself. */
export function toMaxWaitMs(timeLeftMs: number): number {
  return Math.max(0, timeLeftMs - Math.min(2_000, timeLeftMs / 5));
}
