/** Returns the time between two moments in whole milliseconds, never negative; null while one of them is missing. */
export function toDurationMs(startedAt: Date | null, endedAt: Date | null): number | null {
  return startedAt && endedAt && Math.max(0, endedAt.getTime() - startedAt.getTime());
}
