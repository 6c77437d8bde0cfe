import { binomialCdf } from './distributions.ts';

/** Pairs that passed in one version only. */
export interface DiscordantPairs {
  onlyFirst: number;
  onlySecond: number;
}

/** Returns the two-sided p value of McNemar's exact test, for pairs that are independent of each other. */
export function exactMcNemar({ onlyFirst, onlySecond }: DiscordantPairs): number {
  const smaller = Math.min(onlyFirst, onlySecond);
  return Math.min(1, 2 * binomialCdf(smaller, onlyFirst + onlySecond, 0.5));
}

/**
 * Returns the two-sided p value of McNemar's exact test for pairs that come in conversations. `surpluses` has a whole
 * number for each conversation: how many more of its cases passed in the second version than in the first.
 *
 * Without a difference the versions could be swapped in any conversation, so each surplus is as likely with the other
 * sign. The p value is the share of all choices of signs whose sum is at least as far from zero. Cases of one
 * conversation may depend on each other in any way. With one case in each conversation this is `exactMcNemar`.
 */
export function exactClusteredMcNemar(surpluses: readonly number[]): number {
  const sizes = surpluses.map(Math.abs).filter((size) => size > 0);
  const range = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(surpluses.reduce((sum, surplus) => sum + surplus, 0));
  const chances = toSumChances(sizes, range);
  // A sum of positive terms `t` means a sum of all terms of `2t - range`.
  let tail = 0;
  for (let positive = range; 2 * positive - range >= observed; positive--) tail += chances[positive] ?? 0;
  return Math.min(1, 2 * tail);
}

/** Returns the probability of each sum of the sizes when each is left out or taken with probability one half. */
function toSumChances(sizes: readonly number[], range: number): Float64Array {
  const chances = new Float64Array(range + 1);
  chances[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    reached += size;
    for (let sum = reached; sum >= 0; sum--) {
      const without = chances[sum] ?? 0;
      const taken = sum >= size ? (chances[sum - size] ?? 0) : 0;
      chances[sum] = (without + taken) / 2;
    }
  }
  return chances;
}
