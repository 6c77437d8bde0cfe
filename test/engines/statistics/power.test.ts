import { describe, expect, test } from 'vitest';
import { type Judgement, judgeMetrics } from '../../../src/engines/statistics/judge-metrics.ts';
import { createDraw, type Draw, simulateBatch, type TrueDifference } from './simulated-batch.ts';

// More batches give sharper rates: HOLDFAST_SIMULATED_BATCHES=2000 prints them too.
const batches = Number(process.env.HOLDFAST_SIMULATED_BATCHES ?? 200);
const resamples = 399;
const metrics = ['passed', 'costUsd', 'durationMs', 'scores.quality'];

interface Size {
  conversations: number;
  mostCases: number;
}

// Replays of few conversations, whose exact test takes longer, are simulated with more batches only.
const few: Size[] = [
  { conversations: 12, mostCases: 1 },
  { conversations: 20, mostCases: 2 },
];

const sizes: Size[] = [
  ...(process.env.HOLDFAST_SIMULATED_BATCHES === undefined ? [] : few),
  { conversations: 30, mostCases: 1 },
  { conversations: 60, mostCases: 4 },
];

interface BatchOf extends Size {
  draw: Draw;
  truth?: TrueDifference;
}

// Without margins, so that the statistics alone are measured.
const margins = { passed: 0, scores: 0, costUsd: 0, durationMs: 0 };

const judgeBatch = (batch: BatchOf): Judgement =>
  judgeMetrics({ cases: simulateBatch(batch), resamples, margins });

function report(title: string, rate: number, { conversations, mostCases }: Size): void {
  if (process.env.HOLDFAST_SIMULATED_BATCHES === undefined) return;
  console.log(`${conversations} conversations of 1-${mostCases}: ${title} ${(100 * rate).toFixed(1)} %`);
}

describe.each(sizes)('batches of $conversations conversations of 1-$mostCases cases', (size) => {
  test('at most 5 % are called different when the versions do not differ', () => {
    const draw = createDraw(size.conversations);
    let different = 0;
    for (let batch = 0; batch < batches; batch++) {
      const { verdict } = judgeBatch({ ...size, draw });
      if (verdict === 'better' || verdict === 'worse') different += 1;
    }
    report('called different', different / batches, size);
    expect(different / batches).toBeLessThanOrEqual(0.05);
  });

  test.each(size.conversations < 20 ? metrics.slice(1) : metrics)(
    'at least 80 % of the differences in %s of the stated size are found',
    (metric) => {
      const draw = createDraw(size.conversations + metric.length);
      let found = 0;
      for (let batch = 0; batch < batches; batch++) {
        const stated = findMetric(judgeBatch({ ...size, draw }), metric).detectableDifference ?? 0;
        const judgement = judgeBatch({ ...size, draw, truth: { metric, size: stated } });
        if (findMetric(judgement, metric).verdict === 'worse') found += 1;
      }
      report(`found in ${metric}`, found / batches, size);
      expect(found / batches).toBeGreaterThanOrEqual(0.8);
    },
  );
});

function findMetric({ metrics: judged }: Judgement, name: string): Judgement['metrics'][number] {
  const metric = judged.find((one) => one.name === name);
  if (!metric) throw new Error(`Expected the metric ${name}`);
  return metric;
}
