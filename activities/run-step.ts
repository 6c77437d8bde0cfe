import { setTimeout as sleep } from 'node:timers/promises';
import { CancelledFailure, Context } from '@temporalio/activity';
import type { Wakeups } from '../src/db/wakeups.ts';
import { HoldfastError } from '../src/domain/errors.ts';
import { ToolInterruptedError } from '../src/domain/tool-interrupted.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { noteFailedAttempt } from './note-failed-attempt.ts';
import { StepStopped, toActivityFailure, toStopError, type StopReason } from './failures.ts';

const heartbeatIntervalMs = 1_300;

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

/**
 * Runs one step of a turn inside an activity: with heartbeats, and with a signal that is aborted by a cancel request
 * (through Temporal or, faster, through the database), by the turn's deadline and by the worker's shutdown.
 */
export async function runStep<Result>(
  options: StepOptions,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { turnId, deadlineAt, what, wakeups } = options;
  const controller = new AbortController();
  const stop = (reason: StopReason) => controller.abort(new StepStopped(reason));
  const context = Context.current();
  const release = [
    wakeups.onStop((stopped) => {
      if (stopped === turnId) stop('cancelled');
    }),
    callLater(() => stop('deadline'), deadlineAt - Date.now()),
    onCancellation(context, stop),
    sendHeartbeats(context),
  ];
  try {
    return await outlastUnavailability(run, { signal: controller.signal, deadlineAt });
  } catch (error) {
    const failure = toActivityFailure(toStepError(error, controller.signal, what), deadlineAt);
    await noteFailedAttempt(options, options, failure);
    throw failure;
  } finally {
    for (const undo of release) undo();
  }
}

/**
 * Runs a step again while one of Holdfast's own services, such as its database, cannot be reached and nothing was sent.
 * These runs are not attempts: an outage shorter than the turn's time fails no turn.
 */
async function outlastUnavailability<Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  { signal, deadlineAt }: { signal: AbortSignal; deadlineAt: number },
): Promise<Result> {
  for (;;) {
    try {
      return await run(signal);
    } catch (error) {
      if (!isUnavailable(error) || Date.now() + unavailablePauseMs >= deadlineAt) throw error;
      await sleep(unavailablePauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Returns true for a failure of Holdfast's own services that came before anything was sent. */
export function isUnavailable(error: unknown): boolean {
  const wasSent = error instanceof ToolInterruptedError && error.sent;
  return (
    error instanceof HoldfastError && error.code === 'SERVICE_UNAVAILABLE' && error.retryable && !wasSent
  );
}

function toStepError(error: unknown, signal: AbortSignal, what: string): unknown {
  const stopped = error instanceof StepStopped ? error : (signal.reason as unknown);
  return stopped instanceof StepStopped ? toStopError(stopped, what) : error;
}

function onCancellation(context: Context, stop: (reason: StopReason) => void): () => void {
  const { cancellationSignal } = context;
  const listener = () => stop(isShutdown(cancellationSignal.reason) ? 'shutdown' : 'cancelled');
  if (cancellationSignal.aborted) listener();
  cancellationSignal.addEventListener('abort', listener, { once: true });
  return () => cancellationSignal.removeEventListener('abort', listener);
}

/** A timeout, a lost heartbeat or a shutdown does not cancel the turn: another attempt runs the step. */
function isShutdown(reason: unknown): boolean {
  return reason instanceof CancelledFailure && reason.message !== 'CANCELLED';
}

function callLater(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, Math.max(0, delayMs));
  return () => clearTimeout(timer);
}

/** Sends heartbeats until the returned function is called. Temporal takes none from local activities. */
export function sendHeartbeats(context: Context): () => void {
  if (context.info.isLocal) return () => undefined;
  const timer = setInterval(() => context.heartbeat(), heartbeatIntervalMs);
  return () => clearInterval(timer);
}
