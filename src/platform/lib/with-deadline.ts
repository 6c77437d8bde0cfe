import { unlessAborted } from './unless-aborted.ts';

interface Deadline {
  timeoutMs: number;
  signal: AbortSignal;
  /** Creates the error that is thrown when the time is over; not called otherwise, since its stack costs time. */
  toTimeout: () => Error;
}

/**
 * Runs work that may not listen to its signal, and stops waiting for it when the signal is aborted or the time is over;
 * `restart` lets the time begin again. The work may continue, and its result is ignored. A process that was stalled beyond
 * the time first handles the I/O that arrived meanwhile.
 * @throws the signal's reason, or the error of `toTimeout`
 */
export async function withDeadline<Result>(
  { timeoutMs, signal, toTimeout }: Deadline,
  run: (signal: AbortSignal, restart: () => void) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  // Timers come before I/O in the event loop, immediates after it.
  let end: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (end = setImmediate(() => limit.abort(toTimeout()))), timeoutMs);
  const restart = () => {
    clearImmediate(end);
    timer.refresh();
  };
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await unlessAborted(either, () => run(either, restart));
  } finally {
    clearTimeout(timer);
    clearImmediate(end);
  }
}
