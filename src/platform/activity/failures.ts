import { ApplicationFailure } from '@temporalio/activity';
import { HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import { turnTimeHint } from '../../domain/limits.ts';

/** The reasons for which a step is stopped; `lost` when another process runs the turn by now. */
export type StopReason = 'cancelled' | 'deadline' | 'timeout' | 'silence' | 'shutdown' | 'lost';

/** The reason that a step's signal is aborted with. */
export class StepStopped extends Error {
  override readonly name = 'StepStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the step was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** Returns whether a step was stopped because it took too long, or was silent for too long. */
export function isHang(error: unknown): error is StepStopped {
  return error instanceof StepStopped && (error.reason === 'timeout' || error.reason === 'silence');
}

/** Returns whether a step was stopped that another process makes again, so that this one must not end anything. */
export function continuesElsewhere(reason: unknown): boolean {
  return reason instanceof StepStopped && (reason.reason === 'shutdown' || reason.reason === 'lost');
}

/** Returns the error of a stopped step. Another worker may repeat only a step that {@link continuesElsewhere}. */
export function toStopError({ reason }: StepStopped, what: string): HoldfastError {
  switch (reason) {
    case 'cancelled':
      return new HoldfastError('TURN_CANCELLED', 'The turn was cancelled.');
    case 'deadline':
      return new HoldfastError('TURN_TIMED_OUT', `The turn ran out of time while ${what}. ${turnTimeHint}`);
    case 'silence':
    case 'timeout':
      return new HoldfastError('TURN_TIMED_OUT', `The time limit of this step passed while ${what}.`);
    case 'shutdown':
      return new HoldfastError('SERVICE_UNAVAILABLE', `The worker shut down while ${what}.`);
    case 'lost':
      return new HoldfastError('SERVICE_UNAVAILABLE', `Another process took the turn over while ${what}.`);
  }
}

/** Returns the error of a step that was stopped, by the reason of the stop; every other error as it is. */
export function toStepError(error: unknown, signal: AbortSignal, what: string): unknown {
  const stopped = error instanceof StepStopped ? error : (signal.reason as unknown);
  return stopped instanceof StepStopped ? toStopError(stopped, what) : error;
}

/**
 * Translates an error for Temporal, with whether and when the step is retried. A step whose next attempt would begin
 * after `deadlineAt`, in epoch milliseconds, is not retried.
 */
export function toActivityFailure(error: unknown, deadlineAt = Infinity): Error {
  if (error instanceof ApplicationFailure) return error;
  const known = toKnownError(error);
  return ApplicationFailure.create({
    type: known.code,
    message: known.message,
    nonRetryable: !mayRetry(known, deadlineAt),
    details: [known.toInfo() satisfies ErrorInfo],
    // Temporal does not retry at all when the delay is 0.
    ...(known.retryAfterMs ? { nextRetryDelay: known.retryAfterMs } : {}),
    ...(known.cause instanceof Error ? { cause: known.cause } : {}),
  });
}

/** Returns whether a step may run again after an error, before `deadlineAt`. This is the only place that decides about it. */
export function mayRetry({ retryable, retryAfterMs = 0 }: HoldfastError, deadlineAt: number): boolean {
  return retryable && Date.now() + retryAfterMs < deadlineAt;
}

/** Returns an error of a step as one of ours; an unexpected one as `INTERNAL`. */
export function toKnownError(error: unknown): HoldfastError {
  return error instanceof HoldfastError ? error : toInternalError(error);
}

/** Wraps an unexpected error, such as a lost database or a bug; another attempt, or worker, may succeed. */
function toInternalError(error: unknown): HoldfastError {
  const message = "Something broke inside Holdfast. See the worker's log and the cause of this failure.";
  return new HoldfastError('INTERNAL', message, { cause: error });
}
