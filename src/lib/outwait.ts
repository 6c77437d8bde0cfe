import { setTimeout as sleep } from 'node:timers/promises';
import type { DependencyState } from './dependency-state.ts';

const firstPauseMs = 250;
const longestPauseMs = 2_000;

interface OutwaitOptions {
  state: DependencyState;
  /** Tells an error of a dependency that is away from every other error. */
  isAway: (error: unknown) => boolean;
}

/** Repeats work for as long as a dependency is away. Throws every other error. */
export async function outwait<Result>(
  work: () => Promise<Result>,
  { state, isAway }: OutwaitOptions,
): Promise<Result> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      const result = await work();
      state.recovered();
      return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      state.failed(error);
      await sleep(pauseMs);
    }
  }
}
