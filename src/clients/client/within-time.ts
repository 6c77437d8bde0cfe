import { HoldfastApiError } from './holdfast-api-error.ts';
import type { WaitOptions } from './turn-transport.ts';

/**
 * Runs `work` with a signal that is aborted by the caller's signal or when the time is over.
 * @throws HoldfastApiError `WAIT_TIMED_OUT` with `message` when the time is over; the caller's reason when aborted
 */
export async function withinTime<Result>(
  { timeoutMs, signal }: WaitOptions,
  message: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          limit.abort(new HoldfastApiError('WAIT_TIMED_OUT', `${message}, after ${timeoutMs} ms.`));
        }, timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } catch (error) {
    signal?.throwIfAborted();
    limit.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
