import { Context } from '@temporalio/activity';
import type { StepDeadline } from './attempt-clock.ts';

/** The part of an activity's time that is left for its report to Temporal, in milliseconds. */
const reportMs = 500;

/**
 * Returns the time until which the running activity may wait for a dependency, in epoch milliseconds; 0 outside of an
 * activity.
 */
export function findStepEnd(): number {
  const context = findContext();
  if (!context) return 0;
  const { info } = context;
  const ends = [
    [info.scheduledTimestampMs, info.scheduleToCloseTimeoutMs],
    [toStart(context), info.startToCloseTimeoutMs],
  ] as const;
  // A timeout that is not set is 0.
  const set = ends.filter(([, timeoutMs]) => timeoutMs > 0);
  return Math.min(...set.map(([from, timeoutMs]) => from + timeoutMs)) - reportMs;
}

/** Returns the end of the time of a running activity whose input has none, for all of its attempts. */
export function findStepDeadline(): StepDeadline {
  const { scheduledTimestampMs, startToCloseTimeoutMs, scheduleToCloseTimeoutMs } = Context.current().info;
  const from = scheduledTimestampMs - reportMs;
  return { deadlineAt: from + startToCloseTimeoutMs, hardDeadlineAt: from + scheduleToCloseTimeoutMs };
}

/** The times at which this module was first asked about an attempt, in epoch milliseconds: soon after its start. */
const starts = new WeakMap<Context, number>();

/** An attempt may have waited for a worker for long, so that its schedule is not its start. */
function toStart(context: Context): number {
  const startedAt = starts.get(context) ?? Date.now();
  starts.set(context, startedAt);
  return startedAt;
}

function findContext(): Context | undefined {
  try {
    return Context.current();
  } catch {
    return undefined;
  }
}
