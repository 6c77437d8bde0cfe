/** A day of the time zone of the browser, from its midnight to the next one, as ISO 8601. */
export interface Day {
  from: string;
  to: string;
}

/** Returns the days that end with the day of a time in epoch milliseconds, the oldest first. */
export function listDays(now: number, count: number): Day[] {
  // Days have 23 to 25 hours, so a day is found by its date.
  const midnight = (daysAgo: number) => {
    const date = new Date(now);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).toISOString();
  };
  return Array.from({ length: count }, (_, index) => {
    const daysAgo = count - 1 - index;
    return { from: midnight(daysAgo), to: midnight(daysAgo - 1) };
  });
}
