import type { Context, Info } from '@temporalio/activity';

/** The shortest wait for a worker that is no part of the turn's time, in milliseconds. */
const leastAbsenceMs = 1_000;

/** The end of a turn's time for one of its steps, in epoch milliseconds. */
export interface StepDeadline {
  deadlineAt: number;
  /** The end of the time to which the absence of workers may extend `deadlineAt`. @default `deadlineAt` */
  hardDeadlineAt?: number;
}

/** The clock of one attempt of a step. */
interface AttemptClock {
  /** The end of the turn's time, in epoch milliseconds: later than that of the step by the time without a worker. */
  deadlineAt: number;
  /** Whether the attempt began so late that `deadlineAt` was extended. */
  isExtended: boolean;
  /** Returns the details of a heartbeat, from which the next attempt learns when this one was alive. */
  toDetails: (detail?: unknown) => HeartbeatDetails;
  /** Returns the details of the last heartbeat of an attempt that fails: the pause after it is the turn's time. */
  toFailedDetails: () => HeartbeatDetails;
}

/** The details of a heartbeat. The Web UI shows them. */
interface HeartbeatDetails {
  /** ISO 8601. */
  aliveAt: string;
  deadlineAt: string;
  hasFailed?: true;
  detail?: unknown;
}

/**
 * Starts the clock of an attempt. The time from the last heartbeat of a lost attempt, or from the schedule of the step, is no
 * part of the turn's time, since no worker ran the step.
 */
export function startAttemptClock({ info }: Pick<Context, 'info'>, step: StepDeadline): AttemptClock {
  const before = readDetails(info.heartbeatDetails);
  const earlier = Math.max(step.deadlineAt, before ? Date.parse(before.deadlineAt) : 0);
  const absentMs = Date.now() - toLastSeen(info, before);
  const extended = absentMs < leastAbsenceMs ? earlier : earlier + absentMs;
  const deadlineAt = Math.min(extended, Math.max(step.deadlineAt, step.hardDeadlineAt ?? 0));
  const toDetails = (detail?: unknown): HeartbeatDetails => ({
    aliveAt: new Date().toISOString(),
    deadlineAt: new Date(deadlineAt).toISOString(),
    ...(detail === undefined ? {} : { detail }),
  });
  return {
    deadlineAt,
    isExtended: deadlineAt > step.deadlineAt,
    toDetails,
    toFailedDetails: () => ({ ...toDetails(), hasFailed: true }),
  };
}

/** Returns the last time at which a worker had the step, or could have had it, in epoch milliseconds. */
function toLastSeen(info: Info, before: HeartbeatDetails | null): number {
  if (before?.hasFailed) return info.currentAttemptScheduledTimestampMs;
  return before ? Date.parse(before.aliveAt) : info.scheduledTimestampMs;
}

function readDetails(details: unknown): HeartbeatDetails | null {
  const { aliveAt, deadlineAt } = (details ?? {}) as Partial<HeartbeatDetails>;
  const isKnown = typeof aliveAt === 'string' && typeof deadlineAt === 'string';
  return isKnown ? (details as HeartbeatDetails) : null;
}
