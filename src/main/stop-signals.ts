/**
 * Calls `stop` once: on Ctrl-C, on SIGTERM, or when the program that started this process has ended.
 */
export function onStop(stop: () => void): void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, () => resolve(undefined));
  void promise.then(stop);
}
