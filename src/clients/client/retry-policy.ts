import { HoldfastApiError } from './holdfast-api-error.ts';

/** How the client repeats requests that got no answer. */
export interface RetryOptions {
  /** How often a request is sent at most. @default 4 */
  attempts?: number | undefined;
  /** How often in a row a stream is opened again without having received an event or a comment. @default 30 */
  reconnects?: number | undefined;
  /** The pause after the first failure in milliseconds; doubles with each one. @default 250 */
  delayMs?: number | undefined;
}

/** {@link RetryOptions} with their defaults. */
export type RetryPolicy = { [Name in keyof RetryOptions]-?: number };

const longestDelayMs = 5_000;

/** Fills in the defaults. */
export function toRetryPolicy({ attempts, reconnects, delayMs }: RetryOptions = {}): RetryPolicy {
  return { attempts: attempts ?? 4, reconnects: reconnects ?? 30, delayMs: delayMs ?? 250 };
}

/** Returns true for failures that a retry may mend: no answer, or one of a gateway without its server. */
export function isTransient(error: unknown): error is HoldfastApiError {
  if (!(error instanceof HoldfastApiError)) return false;
  return error.code === 'CONNECTION_FAILED' || [502, 503, 504].includes(error.status ?? 0);
}

/** The pause after this many failures in a row, in milliseconds: doubling up to 5 s, minus a random part of up to half. */
export function toDelayMs(policy: RetryPolicy, failures: number, error?: unknown): number {
  if (error instanceof HoldfastApiError && error.retryAfterMs !== undefined) {
    return Math.min(error.retryAfterMs, longestDelayMs);
  }
  const full = Math.min(policy.delayMs * 2 ** (failures - 1), longestDelayMs);
  return full * (0.5 + Math.random() / 2);
}
