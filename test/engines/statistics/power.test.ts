import { beforeAll, describe, expect, test } from 'vitest';
import { measureRates, simulatedMetrics, type Rates } from './measure-rates.ts';

// `power.long.test.ts` simulates more batches.
const simulations = [
  { conversations: 30, mostCases: 1, batches: 200 },
  { conversations: 60, mostCases: 4, batches: 40 },
];

describe.each(simulations)('batches of $conversations conversations of 1-$mostCases cases', (simulation) => {
  let rates: Rates;
  beforeAll(() => {
    rates = measureRates(simulation);
  });

  test('at most 5 % are called different when the versions do not differ', () => {
    expect(rates.different).toBeLessThanOrEqual(0.05);
  });

  test.each(simulatedMetrics)(
    'at least 80 %% of the differences in %s of the stated size are found',
    (metric) => {
      expect(rates.found.get(metric)).toBeGreaterThanOrEqual(0.8);
    },
  );
});
