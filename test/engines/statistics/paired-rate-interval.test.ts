import { expect, test } from 'vitest';
import { pairedRateInterval } from '../../../src/engines/statistics/paired-rate-interval.ts';

// Fagerland, Lydersen, Laake (2017), Statistical Analysis of Contingency Tables, chapter 8: the tables of Bentur et al. and
// of Cavo et al., Newcombe's square-and-add interval (R package contingencytables). The book subtracts the other way.
test.each([
  [{ both: 1, onlyFirst: 1, onlySecond: 7, neither: 12 }, 0.0256, 0.5069],
  [{ both: 59, onlyFirst: 6, onlySecond: 16, neither: 80 }, 0.0046, 0.1186],
])('the interval of %o is the published one', (counts, low, high) => {
  const interval = pairedRateInterval(counts);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('swapping the versions mirrors the interval', () => {
  const { low, high } = pairedRateInterval({ both: 59, onlyFirst: 6, onlySecond: 16, neither: 80 });
  const swapped = pairedRateInterval({ both: 59, onlyFirst: 16, onlySecond: 6, neither: 80 });
  expect(swapped.low).toBeCloseTo(-high, 12);
  expect(swapped.high).toBeCloseTo(-low, 12);
});

test('versions that pass all the same cases still have an interval', () => {
  const { low, high } = pairedRateInterval({ both: 50, onlyFirst: 0, onlySecond: 0, neither: 0 });
  expect(low).toBeLessThan(-0.05);
  expect(high).toBeGreaterThan(0.05);
});
