import type { Say } from './say.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One Ctrl-C may arrive several times: from the terminal and once more from npm. */
const sameRequestMs = 1000;

/**
 * Turns the first Ctrl-C (or SIGTERM, SIGHUP) into an abort. A second one ends this process and all that it started. The
 * end of a program that started this one with a message channel is an abort too.
 */
export function listenForStop(say: Say): AbortSignal {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const listener = () => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      say('Stopping … (Ctrl-C again stops at once)');
      stop.abort(new Error('Stopped while starting.'));
    } else if (Date.now() - firstAt > sameRequestMs) {
      say('Stopped at once.');
      process.exit(130);
    }
  };
  for (const signal of signals) process.on(signal, listener);
  process.once('disconnect', () => stop.abort(new Error('The program that started this one has ended.')));
  return stop.signal;
}
