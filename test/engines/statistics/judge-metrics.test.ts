import { expect, test } from 'vitest';
import { toMargins, type Verdict } from '../../../src/domain/replay.ts';
import { judgeInSlices, judgeMetrics } from '../../../src/engines/statistics/judge-metrics.ts';
import type { CaseMetrics, PairedCase } from '../../../src/engines/statistics/metrics.ts';
import { runSlices } from '../../../src/engines/statistics/slices.ts';
import { toOverallVerdict } from '../../../src/engines/statistics/verdict.ts';
import { wilsonInterval } from '../../../src/engines/statistics/wilson-interval.ts';

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

const judge = (cases: readonly PairedCase[]) => judgeMetrics({ cases, resamples: 999 });
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
  expect(judgeMetrics({ cases, resamples: 999, directions }).verdict).toBe('better');
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
  expect(judge([])).toEqual({ metrics: [], verdict: 'inconclusive' });
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
  expect(passed?.verdict).toBe('inconclusive');
});

test('nine conversations that all cost more and fail are worse in both', () => {
  const cases = toCases(9, () => ({ passed: false, costUsd: 5 }));
  for (const name of ['passed', 'costUsd'])
    expect(find(cases, name)).toMatchObject({
      pValue: 2 / 2 ** 9,
      adjustedPValue: (4 * 2) / 2 ** 9,
      verdict: 'worse',
    });
});

test('five conversations are too few for any verdict, however much a score falls', () => {
  const judged = judge(toCases(5, () => ({ passed: false, scores: { exact: 0.3 } })));
  expect(judged.verdict).toBe('inconclusive');
  expect(judged.metrics.map(({ verdict }) => verdict)).not.toContain('worse');
  expect(find(toCases(5), 'scores.exact')).toMatchObject({ difference: { low: null, high: null } });
});

test('four of twenty refunds that are gone are inconclusive', () => {
  const judged = judge(toCases(20, (index) => ({ passed: index >= 4 })));
  expect(judged.verdict).toBe('inconclusive');
  expect(judged.metrics[0]).toMatchObject({ name: 'passed', verdict: 'inconclusive', pValue: 0.125 });
});

test('twenty of twenty pairs that cost more are worse with the same p value, whatever the order', () => {
  const dearer = Array.from({ length: 20 }, (_, index): PairedCase => ({
    conversationId: `${index}`,
    first: { ...usual, costUsd: 0.001 * 1.4 ** index },
    second: { ...usual, costUsd: 0.001 * 1.4 ** index * (1.15 + (index % 4) / 5) },
  }));
  expect(find(dearer, 'costUsd')).toMatchObject({ pValue: 2 / 2 ** 20, verdict: 'worse' });
  expect(judge(dearer.toReversed())).toEqual(judge(dearer));
});

test('a cost that is one percent higher is no worse, unless the margin says so', () => {
  const cases = toCases(40, () => ({})).map((one) => ({
    ...one,
    second: { ...one.second, costUsd: (one.first.costUsd ?? 0) * 1.01 },
  }));
  expect(find(cases, 'costUsd')).toMatchObject({ verdict: 'no evidence' });
  const margins = { ...toMargins(), costUsd: 0.005 };
  const { metrics } = judgeMetrics({ cases, resamples: 999, margins });
  expect(metrics.find(({ name }) => name === 'costUsd')).toMatchObject({ verdict: 'worse' });
});

test('a rate of few conversations is inconclusive also without a difference, and of many it is not', () => {
  expect(find(toCases(20), 'passed')).toMatchObject({ verdict: 'inconclusive' });
  expect(find(toCases(40), 'passed')).toMatchObject({ verdict: 'no evidence' });
});

test('the pass rate decides before the scores, and these before cost and duration', () => {
  const overall = (verdicts: [name: string, verdict: Verdict][]) =>
    toOverallVerdict(verdicts.map(([name, verdict]) => ({ name, verdict })));
  const none: [string, Verdict] = ['passed', 'no evidence'];
  expect(
    overall([
      ['passed', 'better'],
      ['scores.exact', 'inconclusive'],
    ]),
  ).toBe('better');
  expect(
    overall([
      ['passed', 'inconclusive'],
      ['costUsd', 'better'],
    ]),
  ).toBe('inconclusive');
  expect(overall([none, ['scores.exact', 'inconclusive'], ['costUsd', 'better']])).toBe('inconclusive');
  expect(overall([none, ['costUsd', 'better'], ['durationMs', 'inconclusive']])).toBe('inconclusive');
  expect(
    overall([
      ['passed', 'better'],
      ['durationMs', 'worse'],
    ]),
  ).toBe('worse');
  expect(overall([none])).toBe('no evidence');
});

test('one conversation has values, but no intervals of means', () => {
  const cases = toCases(3).map((one) => ({ ...one, conversationId: 'one' }));
  expect(find(cases, 'durationMs')?.difference).toMatchObject({ low: null, high: null });
  expect(judge(cases).verdict).toBe('inconclusive');
});

test('the judgement survives JSON and does not hang on the size of the slices', () => {
  const cases = toCases(30, (index) => ({ passed: index > 3 }));
  const judgement = judge(cases);
  expect(JSON.parse(JSON.stringify(judgement))).toEqual(judgement);
  expect(runSlices(judgeInSlices({ cases, resamples: 999 }))).toEqual(judgement);
});
