import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Wakeups } from '../src/platform/database/wakeups.ts';
import { HoldfastError, type ErrorInfo } from '../src/domain/errors.ts';
import { ToolInterruptedError } from '../src/domain/tool-interrupted.ts';
import type { TurnHold } from './turn-hold.ts';
import { toPauseMs } from '../src/contract/retry-limits.ts';
import type { StepTime } from '../src/contract/turn-steps.ts';
import type { Transactions } from './step-dependencies.ts';
import { startAttemptClock, type StepDeadline } from '../src/platform/activity/attempt-clock.ts';
import {
  continuesElsewhere,
  mayRetry,
  StepStopped,
  toActivityFailure,
  toKnownError,
  toStepError,
} from '../src/platform/activity/failures.ts';
import { watchForStop } from '../src/platform/activity/watch-for-stop.ts';
import { toPreview } from '../src/domain/text.ts';
import { newId } from '../src/platform/lib/ids.ts';

/** How long a step waits for the note, in milliseconds: its next attempt matters more. */
const patienceMs = 500;

const messageCharacters = 500;

/** The pause before a step is run again that met a service of Holdfast which was unreachable, in milliseconds. */
const unavailablePauseMs = 500;

/** One attempt of a step, as the step sees it. */
export interface StepRun {
  /** The number of the attempt, from 1. */
  attempt: number;
  /** The most attempts that other runs of the step may have made before, which have no part in `attempt`. */
  attemptsBefore: number;
  /** Aborted by a cancel request, by the end of the turn's time, and when the worker shuts down or has lost the turn. */
  signal: AbortSignal;
  /** The hold on the turn; undefined for the first attempt of a step that is its own activity, and for each of a tool call. */
  hold?: TurnHold;
  /** Sends a heartbeat to Temporal; does nothing in a turn without a workflow. */
  heartbeat: (detail?: unknown) => void;
}

/** The step of a turn that an activity runs. */
interface StepRef extends StepDeadline {
  workspaceId: string;
  turnId: string;
  iteration: number;
  /** The index of the tool call; missing for a model call. */
  index?: number;
}

interface RunDependencies extends Pick<Transactions<'answers' | 'context'>, 'pipelined'> {
  /** The clause that error messages use for the step when it is stopped, such as "the model was answering". */
  what: string;
  wakeups: Pick<Wakeups, 'onStop'>;
  /** The attempt whose error is final. The loss of its worker is no error of the step. @default as many as Temporal makes */
  maximumAttempts?: number;
}

/**
 * Runs one step of a turn as its own activity, whose attempts Temporal makes. `run` gets the input with the end of the
 * turn's time for this attempt, which the absence of workers has extended. The result says so too, for the steps after it.
 */
export async function runStep<Input extends StepRef, Result extends object>(
  input: Input,
  dependencies: RunDependencies,
  run: (input: Input, run: StepRun) => Promise<Result>,
): Promise<Result & StepTime> {
  const { what, wakeups, maximumAttempts = Infinity } = dependencies;
  const context = Context.current();
  const clock = startAttemptClock(context, input);
  const { deadlineAt, isExtended } = clock;
  const { attempt } = context.info;
  const { signal, close } = watchForStop(context, {
    ...input,
    deadlineAt,
    wakeups,
    details: clock.toDetails,
  });
  const heartbeat = (detail?: unknown) => context.heartbeat(clock.toDetails(detail));
  try {
    // A second attempt takes the turn from a first one that was lost, and may be alive.
    const hold = attempt > 1 && input.index === undefined ? { id: newId(), isTaken: false } : undefined;
    const step = { attempt, attemptsBefore: 0, signal, heartbeat, ...(hold && { hold }) };
    const result = await retryWhileUnavailable(
      async () => {
        if (isExtended) await storeDeadline(dependencies, { ...input, deadlineAt });
        return run({ ...input, deadlineAt }, step);
      },
      { signal, deadlineAt },
    );
    return isExtended ? { ...result, deadlineAt } : result;
  } catch (error) {
    const known = toKnownError(toStepError(error, signal, what));
    const moves = continuesElsewhere(error) || continuesElsewhere(signal.reason);
    const retriesUntil = attempt >= maximumAttempts && !moves ? 0 : deadlineAt;
    if (mayRetry(known, retriesUntil)) {
      await noteFailedAttempt(dependencies, { ...input, attempt }, known);
      context.heartbeat(clock.toFailedDetails());
    }
    throw toActivityFailure(known, retriesUntil);
  } finally {
    close();
  }
}

/** Stores the end of a turn's time that the absence of workers has extended. */
export async function storeDeadline(
  { pipelined }: Pick<Transactions<'answers' | 'context'>, 'pipelined'>,
  { workspaceId, turnId, deadlineAt }: Pick<StepRef, 'workspaceId' | 'turnId' | 'deadlineAt'>,
): Promise<void> {
  await pipelined(workspaceId, ({ context }) => context.extendStepDeadline(turnId, deadlineAt));
}

/**
 * Runs a step again while one of Holdfast's own services, such as its database, cannot be reached and nothing was sent.
 * These runs are not attempts: an outage shorter than the turn's time fails no turn.
 */
export async function retryWhileUnavailable<Result>(
  run: () => Promise<Result>,
  { signal, deadlineAt }: { signal?: AbortSignal; deadlineAt: number },
): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + unavailablePauseMs >= deadlineAt) throw error;
      await sleep(unavailablePauseMs, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}

interface AttemptOptions extends StepRef, Omit<RunDependencies, 'wakeups'> {
  maximumAttempts: number;
  /** The parts of a run that the attempts of the step share. */
  run: Omit<StepRun, 'attempt'>;
}

/**
 * Makes the attempts of a step inside this process, as many and with the pauses that Temporal makes between those of a
 * step that is its own activity.
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
      return await retryWhileUnavailable(() => attemptStep({ ...run, attempt }), { signal, deadlineAt });
    } catch (error) {
      const known = toKnownError(toStepError(error, signal, what));
      const isStopped = signal.aborted || error instanceof StepStopped;
      if (isStopped || attempt >= maximumAttempts || !mayRetry(known, deadlineAt)) throw known;
      await noteFailedAttempt(options, { ...options, attempt }, known);
      await pause(known.retryAfterMs ?? toPauseMs(attempt), options);
    }
  }
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

/** A step of a turn; `index` is that of its tool call, and missing for a model call. */
interface FailedStep {
  workspaceId: string;
  turnId: string;
  iteration: number;
  index?: number;
  attempt: number;
}

/** Notes an attempt of a step that is made again, for people who look at the turn. A note that fails is left out. */
async function noteFailedAttempt(
  { pipelined }: Pick<Transactions<'answers' | 'context'>, 'pipelined'>,
  { workspaceId, turnId, iteration, index = -1, attempt }: FailedStep,
  { code, message }: Pick<ErrorInfo, 'code' | 'message'>,
): Promise<void> {
  const failed = {
    iteration,
    index: index < 0 ? null : index,
    attempt,
    error: { code, message: toPreview(message, messageCharacters) },
    failedAt: new Date().toISOString(),
  };
  const noted = pipelined(workspaceId, ({ answers }) => answers.noteFailedAttempt(turnId, failed));
  await Promise.race([noted.catch(() => undefined), sleep(patienceMs)]);
}
