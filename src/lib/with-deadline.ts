import { unlessAborted } from './unless-aborted.ts';

interface Deadline {
  timeoutMs: number;
  signal: AbortSignal;
  /** Creates the error that is thrown when the time is over; not called otherwise, since its stack costs time. */
  toTimeout: () => Error;
}

/**
 * Runs something that may not listen to its signal, and gives up on it when the signal is aborted or the time is over;
 * `restart` lets the time begin again. The result of work that goes on is ignored.
 * @throws the signal's reason, or the error of `toTimeout`
 */
export async function withDeadline<Result>(
  { timeoutMs, signal, toTimeout }: Deadline,
  run: (signal: AbortSignal, restart: () => void) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(toTimeout()), timeoutMs);
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await unlessAborted(either, () => run(either, () => timer.refresh()));
  } finally {
    clearTimeout(timer);
  }
}
