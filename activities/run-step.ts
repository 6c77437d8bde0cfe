import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Wakeups } from '../src/db/wakeups.ts';
import { HoldfastError } from '../src/domain/errors.ts';
import { ToolInterruptedError } from '../src/domain/tool-interrupted.ts';
import { retryPauses } from '../workflows/contract/retry-limits.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { noteFailedAttempt } from './note-failed-attempt.ts';
import { mayRetry, toActivityFailure, toKnownError, toStepError } from './failures.ts';
import { watchForStop, type StepRun } from './step-run.ts';

/** The pause before a step is run again that met a service of Holdfast which was away, in milliseconds. */
const unavailablePauseMs = 500;

interface StepOptions extends Pick<ActivityDependencies, 'pipelined'> {
  workspaceId: string;
  turnId: string;
  iteration: number;
  /** The index of the tool call; missing for a model call. */
  index?: number;
  /** The end of the turn's time, in epoch milliseconds. */
  deadlineAt: number;
  /** The clause that error messages use for the step when it is stopped, such as "the model was answering". */
  what: string;
  wakeups: Pick<Wakeups, 'onStop'>;
}

/** Runs one step of a turn as an activity of its own, whose attempts Temporal makes. */
export async function runStep<Result>(
  options: StepOptions,
  run: (run: StepRun) => Promise<Result>,
): Promise<Result> {
  const { deadlineAt, what } = options;
  const context = Context.current();
  const { attempt } = context.info;
  const { signal, close } = watchForStop(context, options);
  const heartbeat = (detail?: unknown) => context.heartbeat(detail);
  try {
    const step = { attempt, attemptsBefore: 0, signal, heartbeat };
    return await outlastUnavailability(() => run(step), { signal, deadlineAt });
  } catch (error) {
    const known = toKnownError(toStepError(error, signal, what));
    if (mayRetry(known, deadlineAt)) await noteFailedAttempt(options, { ...options, attempt }, known);
    throw toActivityFailure(known, deadlineAt);
  } finally {
    close();
  }
}

/**
 * Runs a step again while one of Holdfast's own services, such as its database, cannot be reached and nothing was sent.
 * These runs are not attempts: an outage shorter than the turn's time fails no turn.
 */
async function outlastUnavailability<Result>(
  run: () => Promise<Result>,
  { signal, deadlineAt }: { signal: AbortSignal; deadlineAt: number },
): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + unavailablePauseMs >= deadlineAt) throw error;
      await sleep(unavailablePauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

interface AttemptOptions extends StepOptions {
  maximumAttempts: number;
  /** The parts of a run that the attempts of the step share. */
  run: Omit<StepRun, 'attempt'>;
}

/**
 * Makes the attempts of a step inside this process, as many and with the pauses that Temporal makes between those of a
 * step that is an activity of its own.
 * @throws HoldfastError when the step failed for good or was stopped
 */
export async function runAttempts<Result>(
  options: AttemptOptions,
  attemptStep: (run: StepRun) => Promise<Result>,
): Promise<Result> {
  const { deadlineAt, maximumAttempts, run, what } = options;
  const { signal } = run;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await outlastUnavailability(() => attemptStep({ ...run, attempt }), { signal, deadlineAt });
    } catch (error) {
      const known = toKnownError(toStepError(error, signal, what));
      if (signal.aborted || attempt >= maximumAttempts || !mayRetry(known, deadlineAt)) throw known;
      await noteFailedAttempt(options, { ...options, attempt }, known);
      await pause(known.retryAfterMs ?? toPauseMs(attempt), options);
    }
  }
}

function toPauseMs(attempt: number): number {
  const { initialInterval, backoffCoefficient, maximumInterval } = retryPauses;
  return Math.min(initialInterval * backoffCoefficient ** (attempt - 1), maximumInterval);
}

async function pause(pauseMs: number, { run: { signal }, what }: AttemptOptions): Promise<void> {
  await sleep(pauseMs, undefined, { signal }).catch((error: unknown) => {
    throw toKnownError(toStepError(error, signal, what));
  });
}

/** Returns true for a failure of Holdfast's own services that came before anything was sent. */
export function isUnavailable(error: unknown): boolean {
  const wasSent = error instanceof ToolInterruptedError && error.sent;
  return (
    error instanceof HoldfastError && error.code === 'SERVICE_UNAVAILABLE' && error.retryable && !wasSent
  );
}
