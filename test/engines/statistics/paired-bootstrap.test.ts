import { expect, test } from 'vitest';
import type { Pair } from '../../../src/engines/statistics/cluster-sums.ts';
import { toMeanEstimate } from '../../../src/engines/statistics/clustered-mean.ts';
import { bootstrapInSlices, pairedBootstrap } from '../../../src/engines/statistics/paired-bootstrap.ts';
import { createDraw } from './simulated-batch.ts';

const toPairs = (first: readonly number[], second: readonly number[]): Pair[] =>
  first.map((value, index) => ({ cluster: `${index}`, first: value, second: second[index] ?? Number.NaN }));

// Student (1908), The probable error of a mean, Biometrika 6, 1-25: hours of sleep gained with two drugs. R gives for
// `t.test(extra ~ group, data = sleep, paired = TRUE)` the interval 0.7001142 to 2.4598858.
const sleep = toPairs(
  [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
);

test("Student's interval of the published data is the published one", () => {
  const { value, low, high } = toMeanEstimate(
    sleep.map(({ first, second }) => ({ sum: second - first, size: 1 })),
    0.95,
  );
  expect(value).toBeCloseTo(1.58, 12);
  expect(low).toBeCloseTo(0.7001142, 7);
  expect(high).toBeCloseTo(2.4598858, 7);
});

test('the bootstrap of the published data finds the difference, and is wider than the interval for normal data', () => {
  const { first, second, difference, low, high, pValue } = pairedBootstrap({ pairs: sleep, seed: 1 });
  expect([first, second, difference].map((value) => value.toFixed(2))).toEqual(['0.75', '2.33', '1.58']);
  expect(low).toBeGreaterThan(0);
  expect(low).toBeLessThan(0.7001142);
  expect(high).toBeGreaterThan(2.4598858);
  expect(pValue).toBeLessThan(0.05);
});

test('for many normal differences the interval is that of the theory', () => {
  const { normal } = createDraw(3);
  const first = Array.from({ length: 500 }, normal);
  const pairs = toPairs(
    first,
    first.map((value) => value + 0.1 + normal()),
  );
  const { low, high, difference } = pairedBootstrap({ pairs, seed: 2 });
  const theory = toMeanEstimate(
    pairs.map((pair) => ({ sum: pair.second - pair.first, size: 1 })),
    0.95,
  );
  expect(difference).toBeCloseTo(theory.value, 12);
  const margin = theory.value - (theory.low ?? 0);
  expect((difference - low) / margin).toBeCloseTo(1, 1);
  expect((high - difference) / margin).toBeCloseTo(1, 1);
});

test('the same seed gives the same result, another seed nearly the same', () => {
  const one = pairedBootstrap({ pairs: sleep, seed: 1 });
  expect(pairedBootstrap({ pairs: sleep, seed: 1 })).toEqual(one);
  const other = pairedBootstrap({ pairs: sleep, seed: 2 });
  expect(other).not.toEqual(one);
  expect(Math.abs(other.pValue - one.pValue)).toBeLessThan(0.01);
});

test('repeating each pair in its conversation adds no evidence', () => {
  const repeated = sleep.flatMap((pair) => [pair, pair, pair]);
  const { low, high, pValue } = pairedBootstrap({ pairs: repeated, seed: 1 });
  const once = pairedBootstrap({ pairs: sleep, seed: 1 });
  expect(low).toBeCloseTo(once.low, 9);
  expect(high).toBeCloseTo(once.high, 9);
  expect(pValue).toBe(once.pValue);
});

test('swapping the versions mirrors the result', () => {
  const swapped = sleep.map(({ cluster, first, second }) => ({ cluster, first: second, second: first }));
  const one = pairedBootstrap({ pairs: sleep, seed: 1 });
  const other = pairedBootstrap({ pairs: swapped, seed: 1 });
  expect(other.low).toBeCloseTo(-one.high, 9);
  expect(other.high).toBeCloseTo(-one.low, 9);
  expect(other.pValue).toBe(one.pValue);
});

test('equal versions do not differ, and a difference that is the same everywhere is found', () => {
  const values = Array.from({ length: 20 }, (_, index) => index / 7);
  const equal = pairedBootstrap({ pairs: toPairs(values, values), seed: 1 });
  expect(equal).toMatchObject({ difference: 0, low: 0, high: 0, pValue: 1, detectableDifference: null });
  const shifted = toPairs(
    values,
    values.map((value) => value + 0.1),
  );
  const { low, high, pValue } = pairedBootstrap({ pairs: shifted, seed: 1 });
  expect(low).toBeCloseTo(0.1, 9);
  expect(high).toBeCloseTo(0.1, 9);
  expect(pValue).toBeLessThan(0.001);
});

test('two conversations that differ among many are not taken for a difference', () => {
  const first = Array.from({ length: 40 }, () => 1);
  const { low, pValue } = pairedBootstrap({
    pairs: toPairs(
      first,
      first.map((value, index) => (index < 2 ? 0 : value)),
    ),
    seed: 1,
  });
  expect(pValue).toBeGreaterThan(0.05);
  expect(low).toBeGreaterThan(-1);
});

test('the interval is without zero exactly when the p value is below the level', () => {
  const { normal } = createDraw(9);
  for (let batch = 0; batch < 200; batch++) {
    const pairs = toPairs(
      Array.from({ length: 15 }, () => 0),
      Array.from({ length: 15 }, () => Math.exp(normal()) - 1),
    );
    const { low, high, pValue } = pairedBootstrap({ pairs, seed: batch, resamples: 399 });
    expect(low > 0 || high < 0).toBe(pValue <= 0.05);
  }
});

test('large batches give way to other work', () => {
  const pairs = toPairs(
    Array.from({ length: 5_000 }, (_, index) => Math.sin(index)),
    Array.from({ length: 5_000 }, (_, index) => Math.cos(index)),
  );
  const slices = bootstrapInSlices({ pairs, seed: 1, resamples: 1_000 });
  expect(slices.next().done).toBe(false);
  expect(slices.next().done).toBe(false);
});

test('one conversation cannot be resampled', () => {
  const pairs = sleep.map((pair) => ({ ...pair, cluster: 'one' }));
  expect(() => pairedBootstrap({ pairs, seed: 1 })).toThrow(RangeError);
});
