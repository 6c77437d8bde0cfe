import { StepStopped } from './failures.ts';

/**
 * Runs work with a time limit of its own. Rejects as soon as the limit passes or the signal is aborted, even when the
 * work does not listen to its signal; the result of work that goes on is ignored.
 * @throws StepStopped `timeout` when the limit passed; the signal's reason when it was aborted
 */
export async function withTimeLimit<Result>(
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new StepStopped('timeout')), timeoutMs);
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await Promise.race([run(either), rejectOnAbort(either)]);
  } finally {
    clearTimeout(timer);
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return promise;
}
