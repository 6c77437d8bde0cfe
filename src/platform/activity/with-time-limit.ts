import { withDeadline } from '../lib/with-deadline.ts';
import { StepStopped } from './failures.ts';

interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Runs work with its own time limit. Rejects as soon as the limit passes or the signal is aborted, even when the
 * work does not listen to its signal; the work then continues, and its result is ignored.
 * @throws StepStopped `timeout` when the limit passed; the signal's reason when it was aborted
 */
export function withTimeLimit<Result>(
  limits: Limits,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withDeadline({ ...limits, toTimeout: () => new StepStopped('timeout') }, run);
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
    withDeadline({ timeoutMs: silenceMs, signal: within, toTimeout: () => new StepStopped('silence') }, run),
  );
}
