import { setTimeout as sleep } from 'node:timers/promises';
import type { DependencyState } from './dependency-state.ts';

interface UnavailableOptions {
  state: DependencyState;
  /** Returns true for errors that mean that the dependency cannot be reached. */
  isOutage: (error: unknown) => boolean;
  /** The time until which the caller retries, in epoch milliseconds; a time in the past for no retry. @default no limit */
  until?: () => number;
  /** The first pause between two tries, which doubles up to eight times its length; in milliseconds. @default 250 */
  firstPauseMs?: number;
}

/** Repeats work for as long as a dependency is unreachable, up to the time `until`. Throws every other error. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  { state, isOutage, until = () => Infinity, firstPauseMs = 250 }: UnavailableOptions,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, firstPauseMs * 8)) {
    try {
      const result = await work();
      state.recovered();
      return result;
    } catch (error) {
      if (!isOutage(error)) throw error;
      state.failed(error);
      if (Date.now() + pauseMs >= until()) throw error;
      await sleep(pauseMs);
    }
  }
}
