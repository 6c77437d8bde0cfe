import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeMetrics } from '../../../src/engines/statistics/judge-metrics.ts';
import type { CaseMetrics, PairedCase } from '../../../src/engines/statistics/metrics.ts';

const metrics = fc.record<CaseMetrics>({
  passed: fc.boolean(),
  costUsd: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
  durationMs: fc.double({ min: 0, max: 60_000, noNaN: true }),
  scores: fc.record({ exact: fc.double({ min: 0, max: 1, noNaN: true }) }),
});
const listCases = (maxLength: number) =>
  fc.array(
    fc.record<PairedCase>({
      conversationId: fc.integer({ min: 1, max: 40 }).map(String),
      first: metrics,
      second: metrics,
    }),
    { minLength: 1, maxLength },
  );
const judge = (cases: readonly PairedCase[]) => judgeMetrics({ cases, resamples: 99 });
const runs = { numRuns: 40, seed: 1 };

test('the order of the cases and the names of their conversations change nothing', () => {
  const shuffled = listCases(60).chain((cases) =>
    fc.tuple(fc.constant(cases), fc.shuffledSubarray(cases, { minLength: cases.length })),
  );
  fc.assert(
    fc.property(shuffled, ([cases, other]) => {
      const renamed = other.map((one) => ({ ...one, conversationId: `other-${one.conversationId}` }));
      expect(judge(renamed)).toEqual(judge(cases));
    }),
    runs,
  );
});

test('an identical candidate is never better or worse', () => {
  fc.assert(
    fc.property(listCases(60), (cases) => {
      const { metrics: judged } = judge(cases.map((one) => ({ ...one, second: one.first })));
      for (const { verdict } of judged) expect(['no evidence', 'inconclusive']).toContain(verdict);
    }),
    runs,
  );
});

// Of `count` metrics that were tested, the smallest p value is multiplied by `count`.
const toFewest = (count: number): number => Math.ceil(Math.log2((2 * count) / 0.05));

test('cases that are all worse above the margin are worse from the fewest at which the exact test can say so', () => {
  const factor = fc.double({ min: 1.11, max: 5, noNaN: true });
  const cost = fc.double({ min: 0.001, max: 3, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 24 }),
      factor,
      fc.array(cost, { minLength: 24, maxLength: 24 }),
      (size, times, costs) => {
        const cases = costs.slice(0, size).map((costUsd, index): PairedCase => {
          const first = { passed: true, costUsd, durationMs: null, scores: {} };
          return { conversationId: `${index}`, first, second: { ...first, costUsd: costUsd * times } };
        });
        const { metrics: judged, verdict } = judge(cases);
        const expected = size >= toFewest(judged.length) ? 'worse' : 'inconclusive';
        expect([verdict, judged.find(({ name }) => name === 'costUsd')?.verdict]).toEqual([
          expected,
          expected,
        ]);
      },
    ),
    runs,
  );
});
