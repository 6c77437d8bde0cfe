import { CancelledFailure, type Context } from '@temporalio/activity';
import type { Wakeups } from '../database/wakeups.ts';
import { StepStopped, type StopReason } from './failures.ts';

const heartbeatIntervalMs = 1_300;

interface WatchOptions {
  turnId: string;
  /** The end of the turn's time, in epoch milliseconds. */
  deadlineAt: number;
  wakeups: Pick<Wakeups, 'onStop'>;
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
  { turnId, deadlineAt, wakeups, details }: WatchOptions,
): StopWatch {
  const controller = new AbortController();
  const stop = (reason: StopReason) => controller.abort(new StepStopped(reason));
  const release = [
    wakeups.onStop((stopped) => {
      if (stopped === turnId) stop('cancelled');
    }),
    callLater(() => stop('deadline'), deadlineAt - Date.now()),
    onCancellation(context, stop),
    sendHeartbeats(context, details),
  ];
  const close = () => {
    for (const undo of release) undo();
  };
  return { signal: controller.signal, lose: () => stop('lost'), close };
}

function onCancellation({ cancellationSignal }: Context, stop: (reason: StopReason) => void): () => void {
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

/** Sends heartbeats until the returned function is called. */
export function sendHeartbeats(context: Context, details?: () => unknown): () => void {
  const timer = setInterval(() => context.heartbeat(details?.()), heartbeatIntervalMs);
  return () => clearInterval(timer);
}
