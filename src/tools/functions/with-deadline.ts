interface Deadline {
  timeoutMs: number;
  signal: AbortSignal;
  /** The error that is thrown when the time is over. */
  timeout: Error;
}

/**
 * Runs something that may not listen to its signal, and gives up on it when the signal is aborted or the time is over.
 * @throws the signal's reason, or `timeout`
 */
export async function withDeadline<Result>(
  { timeoutMs, signal, timeout }: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const either = AbortSignal.any([signal, limit.signal]);
  const given = Promise.withResolvers<never>();
  const giveUp = () => given.reject(either.reason as Error);
  either.addEventListener('abort', giveUp, { once: true });
  const timer = setTimeout(() => limit.abort(timeout), timeoutMs);
  try {
    return await Promise.race([run(either), given.promise]);
  } finally {
    clearTimeout(timer);
    either.removeEventListener('abort', giveUp);
  }
}
