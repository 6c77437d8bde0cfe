import { expect, test } from 'vitest';
import { wilsonInterval } from '../../../src/engines/statistics/wilson-interval.ts';

// Newcombe (1998), Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, 857-872, table I,
// method 3.
test.each([
  [{ successes: 81, total: 263 }, 0.2553, 0.3662],
  [{ successes: 15, total: 148 }, 0.0624, 0.1605],
  [{ successes: 0, total: 20 }, 0, 0.1611],
  [{ successes: 1, total: 29 }, 0.0061, 0.1718],
])('the interval of %j is the published one', (proportion, low, high) => {
  const interval = wilsonInterval(proportion);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('the interval of a rate of one mirrors that of zero, and ends at one', () => {
  const { high } = wilsonInterval({ successes: 0, total: 20 });
  expect(wilsonInterval({ successes: 20, total: 20 })).toEqual({ low: 1 - high, high: 1 });
});

test('a higher confidence gives a wider interval', () => {
  const usual = wilsonInterval({ successes: 15, total: 148 });
  const wider = wilsonInterval({ successes: 15, total: 148, confidence: 0.99 });
  expect(wider.low).toBeLessThan(usual.low);
  expect(wider.high).toBeGreaterThan(usual.high);
});

test.each([
  [0, 0],
  [3, 2],
  [-1, 2],
  [Number.NaN, 2],
])('%d of %d is refused', (successes, total) => {
  expect(() => wilsonInterval({ successes, total })).toThrow(RangeError);
});
