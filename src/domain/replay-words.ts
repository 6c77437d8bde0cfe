import type { Replay } from './replay.ts';
import type { ReportCase, ReportEstimate, ReportHead, ReportMetric, ReportRun } from './replay-report.ts';

const labels: Record<string, string> = { passed: 'pass rate', costUsd: 'cost', durationMs: 'duration' };

/** The name of a metric for people. */
export function toMetricLabel(name: string): string {
  return labels[name] ?? name.replace(/^scores\./, 'score: ');
}

/** A value of a metric with its unit. */
export function toValueText(name: string, value: number): string {
  if (name === 'passed') return `${(100 * value).toFixed(1)} %`;
  if (name === 'costUsd') return `${value < 0 ? '−' : ''}$${toPlain(Math.abs(value))}`;
  if (name === 'durationMs') return toTimeText(value);
  return value.toFixed(3).replace('-', '−');
}

/** A difference of a metric, with its sign. */
export function toDifferenceText(name: string, value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : '±'}${toSizeText(name, value)}`;
}

/** The size of a difference of a metric; that of rates is in points. */
export function toSizeText(name: string, value: number): string {
  const text = toValueText(name, Math.abs(value));
  return name === 'passed' ? text.replace('%', 'points') : text;
}

/** The interval of a difference. */
export function toIntervalText(name: string, { low, high }: ReportEstimate): string {
  if (low === null || high === null) return 'unknown';
  return `${toDifferenceText(name, low).replace(' points', '')} to ${toDifferenceText(name, high)}`;
}

/** Milliseconds for people. */
function toTimeText(milliseconds: number): string {
  const isShort = Math.abs(milliseconds) < 1000;
  const text = isShort ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
  return text.replace('-', '−');
}

/** A sum of money with three digits that count, without an exponent. */
function toPlain(value: number): string {
  if (value === 0) return '0';
  const digits = Math.min(7, Math.max(2, 2 - Math.floor(Math.log10(value))));
  return value.toFixed(digits);
}

/** A p value. */
export function toPText(pValue: number | null): string {
  if (pValue === null) return '';
  return pValue < 0.001 ? '< 0.001' : pValue.toFixed(3);
}

/** The detectable difference of a metric; empty when the cases are too few to show any. */
export function toDetectableText(metric: Pick<ReportMetric, 'name' | 'detectableDifference'>): string {
  const { name, detectableDifference: size } = metric;
  return size === null ? '' : toSizeText(name, size);
}

/**
 * Says how many connections and credentials all runs have used, where their tool calls got answers from, and before how many a
 * person would be asked.
 */
export function toOutsideLine({
  summary: { outside, calls },
  lanes,
}: Pick<ReportHead, 'summary' | 'lanes'>): string {
  const sum = Object.values(calls).reduce((all, count) => all + count, 0);
  const listed = Object.entries(calls).map(([answer, count]) => `${count} ${answer}`);
  return (
    `${toCountText(outside.connectionsOpened, 'connection')} opened, ` +
    `${toCountText(outside.credentialsDecrypted, 'credential')} decrypted, ` +
    `${toCountText(sum, 'call')} answered: ${listed.join(', ')}${toAsksText(lanes)}`
  );
}

function toAsksText({ candidate, baseline }: ReportHead['lanes']): string {
  const asks = candidate?.asks ?? 0;
  const before = baseline?.asks ?? 0;
  if (asks === 0 && before === 0) return '';
  const ofBaseline = baseline ? ` (baseline: ${before})` : '';
  return `; the candidate would ask a person before ${toCountText(asks, 'call')}${ofBaseline}`;
}

/** A number with its noun. */
export function toCountText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first difference of a case, or why it could not be run, in words; null for a case without one. */
export function toDifferenceLine({ lanes: { candidate }, lanes }: Pick<ReportCase, 'lanes'>): string | null {
  if (!candidate) return null;
  if (candidate.error) return `could not be run: ${candidate.error.message}`;
  const { firstDifference: first, brokenCalls } = candidate;
  if (!first) return null;
  const turn = (lanes.original?.repeats.runs ?? 0) > 0 && first.turn > 1 ? `turn ${first.turn}, ` : '';
  // Of the calls that are not answered any more, the first difference names one.
  const names = isBrokenKind(first.kind) ? '' : toBrokenText(brokenCalls);
  return `${names}${turn}step ${first.iteration}, ${toKindText(first.kind)}: ${first.expected || 'nothing'} → ${first.found || 'nothing'}`;
}

function isBrokenKind(kind: string): boolean {
  return kind === 'rule' || kind === 'refused';
}

/** Names the calls that were answered when recorded and are not any more. */
function toBrokenText(broken: ReportRun['brokenCalls']): string {
  const names = broken.map(({ name, answeredBy }) => `${name} (${answeredBy})`);
  return names.length === 0 ? '' : `not answered any more: ${names.join(', ')}; `;
}

/** The kind of a difference, an outcome or a trajectory, in words. */
export function toKindText(kind: string): string {
  return kind.replaceAll('_', ' ');
}

/** The verdict, with the metrics that are the reasons for it. */
export function toVerdictLine({ judgement, replay, partial }: ReportHead): string {
  const isReason = ({ verdict }: ReportMetric) =>
    (verdict === 'worse' || verdict === 'better') && verdict === judgement.verdict;
  const shown = judgement.metrics.filter(isReason).map(toMetricLine);
  const reasons = shown.length > 0 ? shown : judgement.metrics.slice(0, 1).map(toMetricLine);
  const state = partial ? ` So far: ${toProgressText(replay)}.` : '';
  return `${judgement.verdict}${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}.${state}`;
}

function toMetricLine({ name, first, second }: ReportMetric): string {
  return `${toMetricLabel(name)} ${toValueText(name, first.value)} → ${toValueText(name, second.value)}`;
}

/** Says that a replay has not made all of its runs; null for one that completed. */
export function toIncompleteLine({ status, runs, error }: Replay): string | null {
  if (status === 'completed') return null;
  const made = `${runs.done} of ${runs.total ?? 'an unknown number of'} runs were made`;
  const reason = error ? ` (${error.message})` : '';
  return `The replay is ${status}${reason}: ${made}, and this report has no others.`;
}

/** How far a replay is. */
export function toProgressText({ runs, status }: Pick<Replay, 'runs' | 'status'>): string {
  return `${runs.done} of ${runs.total ?? 'an unknown number of'} runs, ${status}`;
}

/** A rate or score with as many digits as count, such as `98.5 %`. */
export function toPercentText(value: number): string {
  return `${Number((100 * value).toFixed(2))} %`;
}
