/**
 * Calls `stop` once: on Ctrl-C, when the process is asked to end, and when the program that started it is gone.
 */
export function onStop(stop: () => void): void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => resolve(undefined));
  void promise.then(stop);
}
