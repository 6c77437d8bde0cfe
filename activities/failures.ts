import { ApplicationFailure } from '@temporalio/activity';
import { HoldfastError, type ErrorInfo } from '../src/domain/errors.ts';

/** Why a step was told to stop. */
export type StopReason = 'cancelled' | 'deadline' | 'timeout' | 'shutdown';

/** The reason that a step's signal is aborted with. */
export class StepStopped extends Error {
  override readonly name = 'StepStopped';
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the step was stopped: ${reason}`);
    this.reason = reason;
  }
}

/** The error of a stopped step. Only the one of a worker that shuts down lets another worker run the step again. */
export function toStopError({ reason }: StepStopped, what: string): HoldfastError {
  switch (reason) {
    case 'cancelled':
      return new HoldfastError('TURN_CANCELLED', 'The turn was cancelled.');
    case 'deadline':
      return new HoldfastError('TURN_TIMED_OUT', `The turn ran out of time while ${what}.`);
    case 'timeout':
      return new HoldfastError('TURN_TIMED_OUT', `The time limit of this step passed while ${what}.`);
    case 'shutdown':
      return new HoldfastError('SERVICE_UNAVAILABLE', `The worker shut down while ${what}.`);
  }
}

/**
 * Translates errors for Temporal: whether a step is tried again, and when. A step that may only be tried again after
 * `deadlineAt`, in epoch milliseconds, is not. No other code does this.
 */
export function toActivityFailure(error: unknown, deadlineAt = Infinity): Error {
  if (error instanceof ApplicationFailure) return error;
  const known = error instanceof HoldfastError ? error : toInternalError(error);
  return ApplicationFailure.create({
    type: known.code,
    message: known.message,
    nonRetryable: !known.retryable || Date.now() + (known.retryAfterMs ?? 0) >= deadlineAt,
    details: [known.toInfo() satisfies ErrorInfo],
    // Temporal does not retry at all when the delay is 0.
    ...(known.retryAfterMs ? { nextRetryDelay: known.retryAfterMs } : {}),
    ...(known.cause instanceof Error ? { cause: known.cause } : {}),
  });
}

/** A lost database or a bug; another attempt, perhaps on another worker, may succeed. */
function toInternalError(error: unknown): HoldfastError {
  const message = "Something broke inside Holdfast. The worker's log and the cause of this failure say what.";
  return new HoldfastError('INTERNAL', message, { cause: error });
}
