import { type Margins, toMargins, type Verdict } from '../../domain/replay.ts';
import { compareMeans } from './compare-means.ts';
import { compareRates } from './compare-rates.ts';
import type { Comparison } from './comparison.ts';
import { holmAdjust } from './holm-adjust.ts';
import { type Direction, listMetrics, type Metric, type PairedCase } from './metrics.ts';
import { runSlices, type Slices } from './slices.ts';
import { toMargin, toMetricVerdict, toOverallVerdict } from './verdict.ts';

/** Input of `judgeMetrics`. */
export interface JudgeInput {
  /** The same cases in any order give the same judgement. */
  cases: readonly PairedCase[];
  /** @default 10_000 */
  resamples?: number;
  /** Of the intervals; one less this is the level of the verdicts. @default 0.95 */
  confidence?: number;
  /** By name of the metric. By default, passed and scores are better when they are higher, cost and duration when lower. */
  directions?: Record<string, Direction>;
  /** The smallest differences that matter. @default those of a replay that does not set them */
  margins?: Margins;
}

/** A metric of both versions, and what the cases show about it. */
export interface MetricJudgement extends Comparison {
  name: string;
  kind: 'rate' | 'mean';
  better: Direction;
  pairs: number;
  /** Cases that are left out, since one version or both have no such value. */
  missing: number;
  /** Adjusted for the number of metrics that were tested, after Holm. */
  adjustedPValue: number | null;
  /** The smallest difference that matters, in the unit of the metric. */
  margin: number;
  verdict: Verdict;
}

/** All metrics, and the verdict over them. */
export interface Judgement {
  metrics: MetricJudgement[];
  verdict: Verdict;
}

/**
 * Compares two versions by all their metrics. When no metric differs, the probability of the verdict `better` or
 * `worse` is at most `1 - confidence`. The intervals are not adjusted for the number of metrics. The detectable difference is the
 * smallest that would be found in four batches of five if it were the only one, so it grows with the number of metrics.
 */
export const judgeMetrics = (input: JudgeInput): Judgement => runSlices(judgeInSlices(input));

/** As `judgeMetrics`, in slices. */
export function* judgeInSlices(input: JudgeInput): Slices<Judgement> {
  const { cases, resamples = 10_000, confidence = 0.95, directions = {}, margins = toMargins() } = input;
  const listed = listMetrics(cases, directions);
  const level = (1 - confidence) / Math.max(1, listed.length);
  const compared: { metric: Metric; comparison: Comparison }[] = [];
  for (const metric of listed) {
    const { kind, pairs } = metric;
    const comparison =
      kind === 'rate'
        ? compareRates(pairs, { confidence, level })
        : yield* compareMeans({ pairs, resamples, confidence, detectionLevel: level });
    compared.push({ metric, comparison });
    yield;
  }
  const metrics = judgeAll(compared, { level: 1 - confidence, margins });
  return { metrics, verdict: toOverallVerdict(metrics) };
}

function judgeAll(
  compared: readonly { metric: Metric; comparison: Comparison }[],
  { level, margins }: { level: number; margins: Margins },
): MetricJudgement[] {
  const tested = compared.flatMap(({ comparison: { pValue } }) => (pValue === null ? [] : [pValue]));
  const adjusted = holmAdjust(tested).values();
  return compared.map(({ metric: { pairs, ...metric }, comparison }) => {
    const adjustedPValue = comparison.pValue === null ? null : (adjusted.next().value ?? null);
    const judged = { ...metric, ...comparison, pairs: pairs.length, adjustedPValue };
    return { ...judged, margin: toMargin(judged, margins), verdict: toMetricVerdict(judged, margins, level) };
  });
}
