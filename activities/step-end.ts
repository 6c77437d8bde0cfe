import { Context } from '@temporalio/activity';

/** The part of an activity's time that is left for its report to Temporal, in milliseconds. */
const reportMs = 500;

/**
 * Returns the time until which the running activity may wait for a dependency, in epoch milliseconds; 0 outside of an
 * activity.
 */
export function findStepEnd(): number {
  const info = findInfo();
  if (!info) return 0;
  const ends = [
    [info.scheduledTimestampMs, info.scheduleToCloseTimeoutMs],
    [info.currentAttemptScheduledTimestampMs, info.startToCloseTimeoutMs],
  ] as const;
  // A timeout that is not set is 0.
  const set = ends.filter(([, timeoutMs]) => timeoutMs > 0);
  return Math.min(...set.map(([from, timeoutMs]) => from + timeoutMs)) - reportMs;
}

function findInfo(): Context['info'] | undefined {
  try {
    return Context.current().info;
  } catch {
    return undefined;
  }
}
