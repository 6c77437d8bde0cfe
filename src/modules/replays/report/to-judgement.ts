import { toMargins, type GivenMargins, type ReplayInput } from '../../../domain/replay.ts';
import type { ReportHead, ReplaySummary } from './replay-report.ts';
import { toMargin, toMetricVerdict, toOverallVerdict, toRank } from '../../../engines/statistics/verdict.ts';

const measuredByRuns: readonly string[] = ['costUsd', 'durationMs'];

const leftOutReason =
  'there is no baseline run, and a live turn is not measured as a replay is: its tools really ran, and its cost depends on ' +
  'caches, summaries and other attempts';

/**
 * Returns the judgement of a report from the tests that a summary holds, the pass rate first, then the scores. Its verdicts follow from the margins, so that a report
 * may have other ones than its replay.
 */
export function toJudgement(
  { metrics }: Pick<ReplaySummary['judgement'], 'metrics'>,
  { baseline, margins: ofReplay }: Pick<ReplayInput, 'baseline' | 'margins'>,
  margins?: GivenMargins,
): ReportHead['judgement'] {
  const used = toMargins(margins, toMargins(ofReplay));
  const judged = metrics
    .filter(({ name }) => baseline || !measuredByRuns.includes(name))
    .toSorted((one, other) => toRank(one.name) - toRank(other.name))
    .map((metric) => ({
      ...metric,
      margin: toMargin(metric, used),
      verdict: toMetricVerdict(metric, used),
    }));
  return {
    metrics: judged,
    verdict: toOverallVerdict(judged),
    leftOut: baseline ? [] : measuredByRuns.map((name) => ({ name, reason: leftOutReason })),
  };
}
