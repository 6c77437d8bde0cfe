import { CancelledFailure, type Context } from '@temporalio/activity';
import type { Wakeups } from '../database/wakeups.ts';
import type { WorkerShutdown } from './worker-shutdown.ts';
import { StepStopped, type StopReason } from './failures.ts';

const heartbeatIntervalMs = 1_300;

interface WatchOptions {
  turnId: string;
  /** The end of the turn's time, in epoch milliseconds. */
  deadlineAt: number;
  wakeups: Pick<Wakeups, 'onStop'>;
  /** The shutdown of the worker. Only a local activity needs it, since Temporal tells the others. */
  shutdown?: WorkerShutdown;
  /** The details that heartbeats carry, which the Web UI shows. */
  details: () => unknown;
}

/** A signal that stops an activity of a turn, until `close` ends the watch for its reasons. */
export interface StopWatch {
  /** Aborted with `StepStopped`. */
  signal: AbortSignal;
  /** Aborts the signal, since another process runs the turn. */
  lose: () => void;
  close: () => void;
}

/**
 * Aborts a signal when a turn is cancelled (through Temporal or, faster, through the database), when its time is over,
 * and when the worker shuts down. Sends heartbeats until it is closed.
 */
export function watchForStop(
  context: Context,
  { turnId, deadlineAt, wakeups, details, shutdown }: WatchOptions,
): StopWatch {
  const controller = new AbortController();
  const stop = (reason: StopReason) => controller.abort(new StepStopped(reason));
  const release = [
    wakeups.onStop((stopped) => {
      if (stopped === turnId) stop('cancelled');
    }),
    callLater(() => stop('deadline'), deadlineAt - Date.now()),
    onCancellation(context, shutdown, stop),
    onAbort(shutdown?.graceEnded, () => stop('shutdown')),
    sendHeartbeats(context, details),
  ];
  const close = () => {
    for (const undo of release) undo();
  };
  return { signal: controller.signal, lose: () => stop('lost'), close };
}

/** A worker that shuts down cancels a local activity as if the workflow did, when it lets go of the workflow. */
function onCancellation(
  { cancellationSignal }: Context,
  shutdown: WorkerShutdown | undefined,
  stop: (reason: StopReason) => void,
): () => void {
  const endsHere = () => shutdown?.begun.aborted === true || isShutdown(cancellationSignal.reason);
  return onAbort(cancellationSignal, () => stop(endsHere() ? 'shutdown' : 'cancelled'));
}

function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener();
  signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
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
export function sendHeartbeats(context: Context, details?: () => unknown): () => void {
  if (context.info.isLocal) return () => undefined;
  const timer = setInterval(() => context.heartbeat(details?.()), heartbeatIntervalMs);
  return () => clearInterval(timer);
}
