/**
 * Reads how long a server asks to wait, in milliseconds and at most a day: from `retry-after-ms`, or from
 * `Retry-After` in seconds or as a date (RFC 9110, 10.2.3). Undefined when there is no such header, or no valid one.
 */
export function parseRetryAfter(headers: Record<string, string> | undefined, now = Date.now()) {
  const waitMs = findWait(headers, now);
  return waitMs === undefined ? undefined : Math.min(waitMs, longestWaitMs);
}

/** A day, longer than any turn; a timer cannot count much longer times. */
const longestWaitMs = 86_400_000;

function findWait(headers: Record<string, string> | undefined, now: number): number | undefined {
  const milliseconds = parsePositive(headers?.['retry-after-ms']);
  if (milliseconds !== undefined) return Math.ceil(milliseconds);
  const retryAfter = headers?.['retry-after'];
  const seconds = parsePositive(retryAfter);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = Date.parse(retryAfter ?? '');
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function parsePositive(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
