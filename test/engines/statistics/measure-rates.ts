import { type Judgement, judgeMetrics } from '../../../src/engines/statistics/judge-metrics.ts';
import { createDraw, simulateBatch, type TrueDifference } from './simulated-batch.ts';

/** The metrics of a simulated batch. */
export const simulatedMetrics = ['passed', 'costUsd', 'durationMs', 'scores.quality'];

/** The batches that are simulated. Each conversation has one to `mostCases` cases. */
export interface Simulation {
  conversations: number;
  mostCases: number;
  batches: number;
}

/** Shares of the batches, from 0 to 1. */
export interface Rates {
  /** Of the batches without a true difference, those that were called better or worse. */
  different: number;
  /** By metric: of the batches that truly differ by the difference stated as detectable, those in which it was found. */
  found: Map<string, number>;
}

// Without margins, so that the statistics alone are measured.
const margins = { passed: 0, scores: 0, costUsd: 0, durationMs: 0 };

/** Simulates batches whose versions do not differ and, for each, one batch a metric that differs as the first one states. */
export function measureRates({ conversations, mostCases, batches }: Simulation): Rates {
  const draw = createDraw(conversations);
  const judge = (truth?: TrueDifference): Judgement =>
    judgeMetrics({
      cases: simulateBatch({ draw, conversations, mostCases, ...(truth && { truth }) }),
      resamples: 399,
      margins,
    });
  let different = 0;
  const found = new Map(simulatedMetrics.map((metric) => [metric, 0]));
  for (let batch = 0; batch < batches; batch++) {
    const unchanged = judge();
    if (unchanged.verdict === 'better' || unchanged.verdict === 'worse') different += 1;
    for (const metric of simulatedMetrics) {
      const size = findMetric(unchanged, metric).detectableDifference ?? 0;
      const { verdict } = findMetric(judge({ metric, size }), metric);
      if (verdict === 'worse') found.set(metric, (found.get(metric) ?? 0) + 1);
    }
  }
  const toShare = (count: number) => count / batches;
  const shares = [...found].map(([metric, count]) => [metric, toShare(count)] as const);
  return { different: toShare(different), found: new Map(shares) };
}

function findMetric({ metrics }: Judgement, name: string): Judgement['metrics'][number] {
  const metric = metrics.find((one) => one.name === name);
  if (!metric) throw new Error(`Expected the metric ${name}`);
  return metric;
}
