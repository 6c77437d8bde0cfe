/**
 * Runs work, and stops waiting for it when the signal aborts, or immediately when it is aborted already. The work continues, and
 * its result is ignored.
 * @throws the reason of the signal, or the error that `toError` makes of it
 */
export async function unlessAborted<Result>(
  signal: AbortSignal,
  run: () => Promise<Result>,
  toError: (reason: unknown) => unknown = (reason) => reason,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(toError(signal.reason));
  // Nothing else handles the rejection when `run` throws before it returns a promise.
  promise.catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const work = run();
    if (signal.aborted) abort();
    return await Promise.race([promise, work]);
  } finally {
    // Node keeps a signal of `AbortSignal.any` that has a listener for as long as one of its sources may abort. The reaction
    // to `promise` keeps the asynchronous context, which may keep such a source: then the signal is never released.
    signal.removeEventListener('abort', abort);
  }
}
