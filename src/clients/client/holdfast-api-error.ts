import type { ErrorCode } from './generated/types.ts';

/**
 * Codes that the client itself sets: no answer arrived, the answer was not one of the API, the wait was over, HTTP is not
 * configured, or no worker runs for a turn that was started through Temporal.
 */
export type ClientErrorCode =
  'CONNECTION_FAILED' | 'UNEXPECTED_RESPONSE' | 'WAIT_TIMED_OUT' | 'HTTP_NOT_CONFIGURED' | 'NO_WORKERS';

interface HoldfastApiErrorOptions {
  status?: number | undefined;
  details?: unknown;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A call of the client that failed: `code` says why, `details` which fields or which turn. */
export class HoldfastApiError extends Error {
  override readonly name = 'HoldfastApiError';
  readonly code: ErrorCode | ClientErrorCode;
  /** The HTTP status; undefined without an HTTP answer, except for a reused idempotency key, which is always 409. */
  readonly status: number | undefined;
  readonly details: unknown;
  /** How long the server asked to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode | ClientErrorCode,
    message: string,
    { status, details, retryAfterMs, cause }: HoldfastApiErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }
}
