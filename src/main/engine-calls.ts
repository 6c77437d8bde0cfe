import type { Logger } from 'pino';
import { isTemporalOutage } from '../platform/lib/temporal-outage.ts';

interface EngineCallOptions {
  logger: Pick<Logger, 'warn' | 'debug'>;
  /** The longest time that a request waits for a call, in milliseconds. @default 300 */
  longestMs?: number;
  /** The most calls that continue in the background. @default 1000 */
  mostLate?: number;
}

type Call<Arguments extends unknown[]> = (...callArguments: Arguments) => Promise<void>;

/** The calls of one process that report stored work to Temporal. The sweeper repeats those that fail. */
export interface EngineCalls {
  /**
   * Returns a call that is awaited for `longestMs` at most. Later it continues in the background, and a failure is logged.
   * With `mostLate` calls in the background it is not made.
   */
  awaitBriefly: <Arguments extends unknown[]>(name: string, call: Call<Arguments>) => Call<Arguments>;
  /** Waits for the end of all calls under way. Their deadlines limit the time. */
  finish: () => Promise<void>;
}

/** Creates the calls of one process. */
export function createEngineCalls({
  logger,
  longestMs = 300,
  mostLate = 1_000,
}: EngineCallOptions): EngineCalls {
  const pending = new Set<Promise<void>>();
  let lateCount = 0;
  return {
    awaitBriefly:
      (name, call) =>
      async (...callArguments) => {
        const fields = { call: name, ...toIds(callArguments) };
        if (lateCount >= mostLate) {
          logger.debug(fields, 'Temporal answers too few calls in time; the sweeper makes this one');
          return;
        }
        const running = call(...callArguments).finally(() => pending.delete(running));
        pending.add(running);
        if (await endsWithin(running, longestMs)) return;
        lateCount += 1;
        void running
          .catch((error: unknown) => {
            // An outage is one line of the log already, however many calls it fails.
            const level = isTemporalOutage(error) ? 'debug' : 'warn';
            logger[level]({ err: error, ...fields }, 'a call to Temporal failed; the sweeper repeats it');
          })
          .finally(() => {
            lateCount -= 1;
          });
      },
    finish: async () => {
      await Promise.allSettled(pending);
    },
  };
}

/** Returns false when the time is over before the call. @throws the error of a call that fails before that */
async function endsWithin(running: Promise<void>, timeMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeMs, false);
  try {
    return await Promise.race([running.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The ids among the arguments of a call, for the log. */
function toIds([first]: unknown[]): object {
  if (typeof first === 'string') return { id: first };
  if (typeof first !== 'object' || first === null) return {};
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => key.endsWith('Id') && typeof value === 'string'),
  );
}
