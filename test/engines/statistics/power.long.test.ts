import { beforeAll, describe, expect, test } from 'vitest';
import { measureRates, simulatedMetrics, type Rates, type Simulation } from './measure-rates.ts';

// More batches give sharper rates: HOLDFAST_SIMULATED_BATCHES=2000 prints them too.
const asked = process.env.HOLDFAST_SIMULATED_BATCHES;
const batches = Number(asked ?? 200);

// Replays of few conversations, whose exact test takes longer, are simulated with more batches only.
const few = [
  { conversations: 12, mostCases: 1, batches },
  { conversations: 20, mostCases: 2, batches },
];

const simulations: Simulation[] = [
  ...(asked === undefined ? [] : few),
  { conversations: 30, mostCases: 1, batches },
  { conversations: 60, mostCases: 4, batches },
];

function print({ conversations, mostCases }: Simulation, { different, found }: Rates): void {
  const rates = [['called different', different] as const, ...found].map(
    ([title, rate]) => `${title} ${(100 * rate).toFixed(1)} %`,
  );
  console.log(`${conversations} conversations of 1-${mostCases}: ${rates.join(', ')}`);
}

describe.each(simulations)('batches of $conversations conversations of 1-$mostCases cases', (simulation) => {
  let rates: Rates;
  beforeAll(() => {
    rates = measureRates(simulation);
    if (asked !== undefined) print(simulation, rates);
  }, 600_000);

  test('at most 5 % are called different when the versions do not differ', () => {
    expect(rates.different).toBeLessThanOrEqual(0.05);
  });

  // The pass rate of so few conversations as 12 is not tested for a difference of any size.
  test.each(simulation.conversations < 20 ? simulatedMetrics.slice(1) : simulatedMetrics)(
    'at least 80 %% of the differences in %s of the stated size are found',
    (metric) => {
      expect(rates.found.get(metric)).toBeGreaterThanOrEqual(0.8);
    },
  );
});
