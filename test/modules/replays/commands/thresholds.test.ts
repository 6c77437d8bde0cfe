import { describe, expect, it } from 'vitest';
import { findShortfalls, parseThresholds } from '../../../../src/modules/replays/commands/thresholds.ts';
import type { ReplayReport, ReportMetric } from '../../../../src/domain/replay-report.ts';

type Judged = Pick<ReplayReport, 'judgement' | 'lanes'>;

function toMetric(name: string, first: number, second: number): ReportMetric {
  const toEstimate = (value: number) => ({ value, low: null, high: null });
  return {
    ...{ name, kind: 'mean', better: 'higher', pairs: 10, clusters: 10, missing: 0, verdict: 'no evidence' },
    ...{ first: toEstimate(first), second: toEstimate(second), difference: toEstimate(second - first) },
    ...{ pValue: null, adjustedPValue: null, detectableDifference: null, margin: 0.1 },
  };
}

function toReport(metrics: ReportMetric[], passed = 9): Judged {
  const lanes = { candidate: { runs: 10, passed } } as Judged['lanes'];
  return { lanes, judgement: { metrics, verdict: 'no evidence', leftOut: [] } };
}

const find = (report: Judged, text: string) => findShortfalls(report, parseThresholds(text.split(',')));

describe('the conditions of a replay', () => {
  it('are met at their limits', () => {
    const report = toReport([
      toMetric('scores.trajectory', 1, 0.98),
      toMetric('scores.judge', 0.5, 0.5),
      toMetric('costUsd', 0.01, 0.011),
      toMetric('durationMs', 1000, 1200),
    ]);
    expect(find(report, 'trajectory=0.98, passed=0.9, judge=0.5, cost=1.1x, latency=1.2x')).toEqual([]);
  });

  it('say what was expected and what was found', () => {
    const report = toReport([toMetric('scores.trajectory', 1, 0.975), toMetric('costUsd', 0.01, 0.02)]);
    expect(find(report, 'trajectory=0.98,passed=0.95,cost=1.1x')).toEqual([
      'trajectory: expected at least 98 %, found 97.5 %',
      'passed: expected at least 95 %, found 90 %',
      'cost: expected at most 1.1x that of the baseline, found 2.000x',
    ]);
  });

  it('are not met by a value that is not known', () => {
    expect(find(toReport([]), 'cost=2x,trajectory=0')).toEqual([
      'cost: expected at most 2x that of the baseline, but it is not known',
      'trajectory: expected at least 0 %, but it is not known',
    ]);
  });

  it('count a cost that was nothing before as more than any limit', () => {
    expect(find(toReport([toMetric('costUsd', 0, 0.1)]), 'cost=9x')).toHaveLength(1);
    expect(find(toReport([toMetric('costUsd', 0, 0)]), 'cost=1x')).toEqual([]);
  });

  it.for([
    '',
    'trajectory',
    'trajectory=1.1',
    'trajectory=0.9x',
    'cost=1.1',
    'speed=1',
    'passed=-1',
    'passed=0.9;',
  ])('are refused when they are written as %j', (text) => {
    expect(() => parseThresholds(text.split(','))).toThrow('--fail-under takes');
  });
});
