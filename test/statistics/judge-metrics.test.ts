import { expect, test } from 'vitest';
import { judgeInSlices, judgeMetrics } from '../../src/statistics/judge-metrics.ts';
import type { CaseMetrics, PairedCase } from '../../src/statistics/metrics.ts';
import { runSlices } from '../../src/statistics/slices.ts';
import { wilsonInterval } from '../../src/statistics/wilson-interval.ts';

const usual: CaseMetrics = { passed: true, costUsd: 0.01, durationMs: 900, scores: { exact: 1 } };

// Costs and durations of the versions differ by chance, to no side.
function toCases(count: number, change: (index: number) => Partial<CaseMetrics> = () => ({})): PairedCase[] {
  return Array.from({ length: count }, (_, index) => ({
    conversationId: `conversation-${index}`,
    first: { ...usual, costUsd: 0.01 + (index % 7) / 1_000, durationMs: 900 + (index % 11) },
    second: {
      ...usual,
      costUsd: 0.01 + ((index * 3) % 7) / 1_000,
      durationMs: 900 + ((index * 5) % 11),
      ...change(index),
    },
  }));
}

const judge = (cases: readonly PairedCase[]) => judgeMetrics({ cases, seed: 1, resamples: 999 });
const find = (cases: readonly PairedCase[], name: string) =>
  judge(cases).metrics.find((metric) => metric.name === name);

test('versions that differ by chance give no evidence, for any metric', () => {
  const { metrics, verdict } = judge(toCases(77));
  expect(verdict).toBe('no evidence');
  expect(metrics.map(({ name, kind, better, verdict: each }) => [name, kind, better, each])).toEqual([
    ['passed', 'rate', 'higher', 'no evidence'],
    ['costUsd', 'mean', 'lower', 'no evidence'],
    ['durationMs', 'mean', 'lower', 'no evidence'],
    ['scores.exact', 'mean', 'higher', 'no evidence'],
  ]);
});

test('a version that fails more cases is worse, also when it is cheaper', () => {
  const cases = toCases(77, (index) => ({ passed: index % 4 > 0, costUsd: 0.005 + (index % 5) / 10_000 }));
  const { metrics, verdict } = judge(cases);
  expect(verdict).toBe('worse');
  expect(metrics.map(({ name, verdict: each }) => [name, each])).toContainEqual(['passed', 'worse']);
  expect(metrics.map(({ name, verdict: each }) => [name, each])).toContainEqual(['costUsd', 'better']);
});

test('a version that is cheaper and no worse is better', () => {
  expect(judge(toCases(77, (index) => ({ costUsd: 0.005 + (index % 5) / 10_000 }))).verdict).toBe('better');
});

test('a direction can be given by name', () => {
  const cases = toCases(77, (index) => ({ scores: { exact: 0.5 + (index % 5) / 100 } }));
  expect(judge(cases).verdict).toBe('worse');
  const directions = { 'scores.exact': 'lower' } as const;
  expect(judgeMetrics({ cases, seed: 1, resamples: 999, directions }).verdict).toBe('better');
});

test('a case that failed to run stays in the rate, and is left out of metrics that it has not got', () => {
  const failed = { passed: false, costUsd: null, durationMs: null, scores: {} };
  const cases = toCases(50, (index) => (index < 5 ? failed : {}));
  expect(find(cases, 'passed')).toMatchObject({ pairs: 50, missing: 0, second: { value: 0.9 } });
  expect(find(cases, 'costUsd')).toMatchObject({ pairs: 45, missing: 5 });
  expect(find(cases, 'scores.exact')).toMatchObject({ pairs: 45, missing: 5 });
});

test('a metric that no case has in both versions is not listed', () => {
  const cases = toCases(20, () => ({ costUsd: null, scores: { other: 1 } }));
  expect(judge(cases).metrics.map(({ name }) => name)).toEqual(['passed', 'durationMs']);
  expect(judge([])).toEqual({ metrics: [], verdict: 'no evidence' });
});

test('rates of unrelated cases have the Wilson interval, and rates of related cases a wider one', () => {
  const cases = toCases(60, (index) => ({ passed: index % 3 > 0 }));
  const interval = wilsonInterval({ successes: 40, total: 60 });
  expect(find(cases, 'passed')?.second.low).toBeCloseTo(interval.low, 9);
  expect(find(cases, 'passed')?.second.high).toBeCloseTo(interval.high, 9);
  const related = toCases(60, (index) => ({ passed: index % 30 >= 10 })).map((one, index) => ({
    ...one,
    conversationId: `${Math.floor(index / 5)}`,
  }));
  expect(find(related, 'passed')).toMatchObject({ clusters: 12, pairs: 60, second: { value: 40 / 60 } });
  expect(find(related, 'passed')?.second.low).toBeLessThan(interval.low - 0.05);
});

test('p values are adjusted over the metrics', () => {
  const cases = toCases(77, (index) => ({ passed: index > 5 }));
  const passed = find(cases, 'passed');
  expect(passed?.pValue).toBeCloseTo(2 / 2 ** 6, 9);
  expect(passed?.adjustedPValue).toBeCloseTo((4 * 2) / 2 ** 6, 9);
  expect(passed?.verdict).toBe('no evidence');
});

test('nine conversations give no verdict about means, but they can about the rate', () => {
  const cases = toCases(9, () => ({ passed: false, costUsd: 5 }));
  expect(find(cases, 'costUsd')).toMatchObject({
    pValue: null,
    adjustedPValue: null,
    verdict: 'no evidence',
  });
  expect(find(cases, 'passed')).toMatchObject({
    pValue: 2 / 2 ** 9,
    adjustedPValue: 2 / 2 ** 9,
    verdict: 'worse',
  });
});

test('one conversation has values, but no intervals of means', () => {
  const cases = toCases(3).map((one) => ({ ...one, conversationId: 'one' }));
  expect(find(cases, 'durationMs')?.difference).toMatchObject({ low: null, high: null });
  expect(judge(cases).verdict).toBe('no evidence');
});

test('the judgement survives JSON and does not hang on the size of the slices', () => {
  const cases = toCases(30, (index) => ({ passed: index > 3 }));
  const judgement = judge(cases);
  expect(JSON.parse(JSON.stringify(judgement))).toEqual(judgement);
  expect(runSlices(judgeInSlices({ cases, seed: 1, resamples: 999 }))).toEqual(judgement);
});
