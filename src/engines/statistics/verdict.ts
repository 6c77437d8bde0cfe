import type { Margins, Verdict } from '../../domain/replay.ts';
import type { Estimate } from './clustered-mean.ts';
import type { Direction } from './metrics.ts';

/** A metric after its test: what its verdict is made from. */
interface TestedMetric {
  name: string;
  better: Direction;
  first: Pick<Estimate, 'value'>;
  difference: Estimate;
  adjustedPValue: number | null;
}

const rounding = 1e-9;

/** The metrics whose margin is a share of the first version's value, below which a difference does not count. */
const relative: readonly string[] = ['costUsd', 'durationMs'];

/** Returns the smallest difference of a metric that matters, in the unit of the metric. */
export function toMargin({ name, first }: Pick<TestedMetric, 'name' | 'first'>, margins: Margins): number {
  if (name === 'passed') return margins.passed;
  if (name === 'costUsd' || name === 'durationMs') return margins[name] * first.value;
  return margins.scores;
}

/**
 * Returns the verdict about a metric. It is `better` or `worse` when the difference is more than chance at this level; one of cost
 * or duration has to be above the margin too. Otherwise it is `inconclusive` when the interval has changes for the worse above
 * the margin, which these cases are too few to exclude.
 */
export function toMetricVerdict(metric: TestedMetric, margins: Margins, level = 0.05): Verdict {
  const { name, better, difference, adjustedPValue } = metric;
  const margin = toMargin(metric, margins) * (1 + rounding);
  const counts = !relative.includes(name) || Math.abs(difference.value) > margin;
  if (counts && adjustedPValue !== null && adjustedPValue <= level)
    return difference.value > 0 === (better === 'higher') ? 'better' : 'worse';
  const worst = better === 'higher' ? difference.low : difference.high;
  if (worst === null) return 'inconclusive';
  return (better === 'higher' ? -worst : worst) > margin ? 'inconclusive' : 'no evidence';
}

/**
 * Returns the verdict over all metrics: `worse` if one is worse. Otherwise the pass rate decides, then the scores, then cost and
 * duration: the first of these groups with a verdict other than `no evidence`, in which `inconclusive` comes before `better`.
 */
export function toOverallVerdict(metrics: readonly { name: string; verdict: Verdict }[]): Verdict {
  if (metrics.length === 0) return 'inconclusive';
  if (metrics.some(({ verdict }) => verdict === 'worse')) return 'worse';
  const groups = Map.groupBy(metrics, ({ name }) => toRank(name));
  for (const rank of [0, 1, 2]) {
    const verdicts = groups.get(rank)?.map(({ verdict }) => verdict) ?? [];
    if (verdicts.includes('inconclusive')) return 'inconclusive';
    if (verdicts.includes('better')) return 'better';
  }
  return 'no evidence';
}

/** Orders metrics by what they mean: the pass rate, then the scores, then cost and duration. */
export function toRank(name: string): number {
  if (name === 'passed') return 0;
  return relative.includes(name) ? 2 : 1;
}
