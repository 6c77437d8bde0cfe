import { binomialCdf } from './distributions.ts';

/** Returns the probability that the test finds a difference, given the probability that a pair is discordant. */
export type McNemarPower = (discordance: number, difference: number) => number;

// Counts this many standard deviations from the mean, and a few more, are too rare to matter.
const deviations = 6;

/** Returns the power of McNemar's exact test at this level, over all numbers of discordant pairs that can come up. */
export function createMcNemarPower(pairs: number, level: number): McNemarPower {
  const limits = new Map<number, number>();
  const getLimit = (discordant: number): number => {
    const limit = limits.get(discordant) ?? findLimit(discordant, level);
    limits.set(discordant, limit);
    return limit;
  };
  return (discordance, difference) => {
    const share = Math.min(1, (1 + difference / discordance) / 2);
    const mean = pairs * discordance;
    const reach = Math.ceil(deviations * Math.sqrt(mean)) + deviations;
    let power = 0;
    for (let count = Math.max(0, Math.floor(mean) - reach); count <= Math.min(pairs, mean + reach); count++) {
      const chance = binomialCdf(count, pairs, discordance) - binomialCdf(count - 1, pairs, discordance);
      const limit = getLimit(count);
      power += chance * (binomialCdf(limit, count, share) + binomialCdf(limit, count, 1 - share));
    }
    return power;
  };
}

/** Returns the largest smaller count at which the test rejects; -1 when it rejects at none. */
function findLimit(discordant: number, level: number): number {
  let [rejected, kept] = [-1, Math.ceil(discordant / 2)];
  while (kept - rejected > 1) {
    const middle = Math.floor((rejected + kept) / 2);
    if (2 * binomialCdf(middle, discordant, 0.5) <= level) rejected = middle;
    else kept = middle;
  }
  return rejected;
}
