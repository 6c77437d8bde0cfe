import { invalid } from '../../../clients/cli/option-values.ts';
import type { ReplayReport } from '../../../domain/replay-report.ts';
import { toPercentText } from '../../../domain/replay-words.ts';

/** A condition that a candidate has to meet. */
export interface Threshold {
  name: string;
  /** The least score or rate, or the maximum multiple of that of the baseline. */
  limit: number;
}

/** The metrics that are limited to so many times the value of the baseline. */
const ratios: Record<string, string> = { cost: 'costUsd', latency: 'durationMs' };
const rates = ['passed', 'trajectory', 'exact', 'normalised', 'jsonFields', 'judge'];

/**
 * Parses conditions such as `trajectory=0.98`, `passed=0.95`, `cost=1.1x` and `latency=1.2x`.
 * @throws HoldfastError `INVALID_INPUT`
 */
export function parseThresholds(parts: readonly string[]): Threshold[] {
  return parts.map((part) => {
    const [, name = '', digits = '', times = ''] = /^\s*(\w+)=(\d+(?:\.\d+)?)(x?)\s*$/.exec(part) ?? [];
    const limit = Number(digits);
    if (name in ratios && times === 'x') return { name, limit };
    if (rates.includes(name) && times === '' && limit <= 1) return { name, limit };
    throw invalid(
      `--fail-under takes ${rates.map((one) => `${one}=0.95`).join(', ')}, cost=1.1x and latency=1.2x; found ${JSON.stringify(part)}`,
    );
  });
}

/** Returns a sentence for each condition that a report does not meet. A value that is not known meets none. */
export function findShortfalls(
  report: Pick<ReplayReport, 'judgement' | 'lanes'>,
  thresholds: Threshold[],
): string[] {
  return thresholds.flatMap(({ name, limit }) => {
    const found = name in ratios ? toRatio(report, name) : toRate(report, name);
    const wanted =
      name in ratios ? `at most ${limit}x that of the baseline` : `at least ${toPercentText(limit)}`;
    if (found === null) return [`${name}: expected ${wanted}, but it is not known`];
    const isMet = name in ratios ? found <= limit : found >= limit;
    const text = name in ratios ? `${found.toFixed(3)}x` : toPercentText(found);
    return isMet ? [] : [`${name}: expected ${wanted}, found ${text}`];
  });
}

function toRate(
  { judgement, lanes: { candidate } }: Pick<ReplayReport, 'judgement' | 'lanes'>,
  name: string,
) {
  if (name !== 'passed')
    return judgement.metrics.find((one) => one.name === `scores.${name}`)?.second.value ?? null;
  return candidate && candidate.runs > 0 ? candidate.passed / candidate.runs : null;
}

/** The candidate's mean by that of the baseline, over the cases that both have run. */
function toRatio({ judgement }: Pick<ReplayReport, 'judgement'>, name: string): number | null {
  const metric = judgement.metrics.find((one) => one.name === ratios[name]);
  if (!metric) return null;
  const [first, second] = [metric.first.value, metric.second.value];
  if (first === 0) return second === 0 ? 1 : Number.POSITIVE_INFINITY;
  return second / first;
}
