import type { ReportHead, ReportMetric } from './replay-report.ts';
import { toCountText, toMetricLabel, toSizeText, toValueText } from './replay-words.ts';

/** Explains the column of p values. */
export const pExplanation =
  'p (Holm): the probability of a difference at least as large if both versions were equal, raised for the number of metrics ' +
  'that are compared. Up to 0.05 the difference counts as more than chance.';

/** Explains the column of detectable differences. */
export const detectableExplanation =
  'detectable: the smallest true difference that as many cases would show in four replays of five; empty when they are too few ' +
  'to show any.';

/** The maximum number of metrics that the first sentence names: they come in the order of what they mean. */
const mostReasons = 2;

type Head = Pick<ReportHead, 'judgement' | 'summary' | 'replay'>;

/** Says in plain sentences which verdict a replay has, which cases are wrong now, and which calls are not answered any more. */
export function toPlainSummary(head: Head): string {
  return [toVerdictSentence(head), ...toChangeSentences(head)].join(' ');
}

function toVerdictSentence({ judgement, replay }: Head): string {
  const { verdict, metrics } = judgement;
  const than = replay.input.baseline ? 'the version that was recorded' : 'what was recorded';
  const found = metrics.filter((metric) => metric.verdict === verdict);
  const reasons = found.slice(0, mostReasons).map(toReason);
  if (verdict === 'worse' || verdict === 'better')
    return `The candidate is ${verdict} than ${than}, by more than chance: ${reasons.join('; ')}.`;
  if (verdict === 'no evidence') return `The candidate is not worse than ${than} by an amount that matters.`;
  const [open] = found;
  const why = open ? `: ${toOpenText(open)}` : ', since no case was run';
  return `This replay is too small to say whether the candidate is worse than ${than}${why}.`;
}

function toReason({ name, first, second }: ReportMetric): string {
  return `${toMetricLabel(name)} ${toValueText(name, first.value)} → ${toValueText(name, second.value)}`;
}

/** Says which change for the worse the runs of a metric do not exclude. */
function toOpenText({ name, better, clusters, difference }: ReportMetric): string {
  const few = `with ${toCountText(clusters, 'conversation')}`;
  const worst = better === 'higher' ? difference.low : difference.high;
  if (worst === null) return `${few} no change of the ${toMetricLabel(name)} can be told from chance`;
  const direction = better === 'higher' ? 'lower' : 'higher';
  return `${few} the ${toMetricLabel(name)} may be up to ${toSizeText(name, worst)} ${direction}`;
}

function toChangeSentences({ summary: { changes } }: Head): string[] {
  const { regressed, improved, brokenCalls } = changes;
  const be = regressed === 1 ? 'is' : 'are';
  return [
    regressed === 0
      ? 'No case that was right is wrong now.'
      : `${toCountText(regressed, 'case')} that ${regressed === 1 ? 'was' : 'were'} right ${be} wrong now: ${toPositions(changes)}.`,
    ...(improved === 0
      ? []
      : [`${toCountText(improved, 'case')} that failed before ${improved === 1 ? 'passes' : 'pass'} now.`]),
    ...(brokenCalls === 0 ? [] : [toBrokenSentence(changes)]),
  ];
}

function toPositions({ regressed, regressedPositions }: ReportHead['summary']['changes']): string {
  const more = regressed - regressedPositions.length;
  return `${regressedPositions.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function toBrokenSentence({ brokenCalls, brokenTools }: ReportHead['summary']['changes']): string {
  const tools = Object.entries(brokenTools).map(([name, count]) => `${name} (${count})`);
  const [were, are] = brokenCalls === 1 ? ['was', 'is'] : ['were', 'are'];
  return `${toCountText(brokenCalls, 'tool call')} that ${were} answered when recorded ${are} refused, blocked or without an answer now: ${tools.join(', ')}.`;
}

/** Says which metrics are not compared, and why; null when all are. */
export function toLeftOutLine({ judgement: { leftOut } }: Pick<ReportHead, 'judgement'>): string | null {
  const [first] = leftOut;
  if (!first) return null;
  const names = leftOut.map(({ name }) => toMetricLabel(name)).join(' and ');
  return `Not compared: ${names}, since ${first.reason}.`;
}
