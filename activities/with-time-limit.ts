import { StepStopped, type StopReason } from './failures.ts';

interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Runs work with a time limit of its own. Rejects as soon as the limit passes or the signal is aborted, even when the
 * work does not listen to its signal; the result of work that goes on is ignored.
 * @throws StepStopped `timeout` when the limit passed; the signal's reason when it was aborted
 */
export function withTimeLimit<Result>(
  { timeoutMs, signal }: Limits,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return limited({ timeoutMs, signal, reason: 'timeout' }, run);
}

/**
 * Runs work that has to give a sign of life, by calling `alive`, before `silenceMs` have passed since the last one.
 * @throws StepStopped `silence` when none came; `timeout` and the signal's reason as {@link withTimeLimit}
 */
export function withSilenceLimit<Result>(
  { silenceMs, timeoutMs, signal }: Limits & { silenceMs: number },
  run: (signal: AbortSignal, alive: () => void) => Promise<Result>,
): Promise<Result> {
  return withTimeLimit({ timeoutMs, signal }, (within) =>
    limited({ timeoutMs: silenceMs, signal: within, reason: 'silence' }, run),
  );
}

async function limited<Result>(
  { timeoutMs, signal, reason }: Limits & { reason: StopReason },
  run: (signal: AbortSignal, restart: () => void) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new StepStopped(reason)), timeoutMs);
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await Promise.race([run(either, () => timer.refresh()), rejectOnAbort(either)]);
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
