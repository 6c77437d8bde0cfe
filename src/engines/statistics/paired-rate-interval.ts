import { type Interval, wilsonInterval } from './wilson-interval.ts';

/** Cases by whether they passed in both versions, in one only, or in none; counts need not be whole. */
export interface PairedCounts {
  both: number;
  onlyFirst: number;
  onlySecond: number;
  neither: number;
}

/**
 * Returns the interval of the second rate less the first: method 10 of Newcombe (1998, Statistics in Medicine 17,
 * 2635-2650), which combines the Wilson intervals of the two rates and stays between -1 and 1.
 */
export function pairedRateInterval(counts: PairedCounts, confidence = 0.95): Interval {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const total = both + onlyFirst + onlySecond + neither;
  const first = toArms(both + onlyFirst, total, confidence);
  const second = toArms(both + onlySecond, total, confidence);
  const correlation = toCorrelation(counts, total);
  const difference = (onlySecond - onlyFirst) / total;
  const toMargin = (one: number, other: number): number =>
    Math.sqrt(Math.max(0, one ** 2 - 2 * correlation * one * other + other ** 2));
  return {
    low: difference - toMargin(second.below, first.above),
    high: difference + toMargin(first.below, second.above),
  };
}

function toArms(successes: number, total: number, confidence: number): { below: number; above: number } {
  const bounded = Math.min(successes, total);
  const { low, high } = wilsonInterval({ successes: bounded, total, confidence });
  return { below: bounded / total - low, above: high - bounded / total };
}

// A positive correlation gets Newcombe's continuity correction.
function toCorrelation({ both, onlyFirst, onlySecond, neither }: PairedCounts, total: number): number {
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  if (margins <= 0) return 0;
  const product = both * neither - onlyFirst * onlySecond;
  return (product > 0 ? Math.max(0, product - total / 2) : product) / Math.sqrt(margins);
}
