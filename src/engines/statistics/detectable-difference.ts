import { createMcNemarPower } from './mcnemar-power.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** The level of the test, and how often it has to find the difference. */
export interface TestStrength {
  /** @default 0.05 */
  level?: number;
  /** @default 0.8 */
  power?: number;
}

/** Independent pairs of which some are discordant: passed in one version only. Neither number need be whole. */
export interface RateSize extends TestStrength {
  pairs: number;
  discordant: number;
}

// The spread of a batch is known from that batch only. A bound that it exceeds in one batch of ten takes its place, so
// that the promised power does not hang on luck (Browne 1995, Statistics in Medicine 14, 1933-1940).
const spreadConfidence = 0.9;

/**
 * Returns the smallest difference of two pass rates that McNemar's exact test finds with the wanted power; `null` when
 * these pairs are too few for any difference.
 */
export function detectableRateDifference({ pairs, discordant, ...strength }: RateSize): number | null {
  const { level = 0.05, power = 0.8 } = strength;
  const trials = Math.floor(pairs);
  if (trials < 1) return null;
  const confidence = 2 * spreadConfidence - 1;
  const { high } = wilsonInterval({ successes: discordant, total: pairs, confidence });
  const toPower = createMcNemarPower(trials, level);
  // The difference comes on top of the pairs that are discordant by chance, as when a version breaks that share of cases.
  const isFound = (difference: number): boolean =>
    toPower(high + difference * (1 - high), difference) >= power;
  return isFound(1) ? findSmallest(isFound) : null;
}

// Bisects to a hundred-thousandth.
function findSmallest(isFound: (difference: number) => boolean): number {
  let [missed, found] = [0, 1];
  while (found - missed > 1e-5) {
    const middle = (missed + found) / 2;
    if (isFound(middle)) found = middle;
    else missed = middle;
  }
  return found;
}
