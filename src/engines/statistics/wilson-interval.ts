import { normalQuantile } from './distributions.ts';

/** Input of `wilsonInterval`: counts, which need not be whole when cases of one conversation count for less than one each. */
export interface Proportion {
  successes: number;
  total: number;
  /** @default 0.95 */
  confidence?: number;
}

/** The ends of an interval. */
export interface Interval {
  low: number;
  high: number;
}

/**
 * Returns the score interval of a proportion without continuity correction (Wilson 1927). Throws a `RangeError` when
 * `total` is not positive or `successes` is not between zero and `total`.
 */
export function wilsonInterval({ successes, total, confidence = 0.95 }: Proportion): Interval {
  if (!(total > 0 && successes >= 0 && successes <= total))
    throw new RangeError(`Expected successes between 0 and a positive total, found ${successes} of ${total}`);
  const z = normalQuantile((1 + confidence) / 2);
  const rate = successes / total;
  const scale = 1 + z ** 2 / total;
  const centre = (rate + z ** 2 / (2 * total)) / scale;
  const margin = (z / scale) * Math.sqrt((rate * (1 - rate)) / total + z ** 2 / (4 * total ** 2));
  // At a rate of 0 or 1 the formula gives that rate, except for rounding.
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - margin),
    high: successes === total ? 1 : Math.min(1, centre + margin),
  };
}
