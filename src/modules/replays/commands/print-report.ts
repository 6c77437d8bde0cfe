import type { ReplayReport, ReportMetric } from '../../../domain/replay-report.ts';
import {
  toCountText,
  toDetectableText,
  toDifferenceLine,
  toDifferenceText,
  toIntervalText,
  toMetricLabel,
  toOutsideLine,
  toProgressText,
  toPText,
  toValueText,
} from '../../../domain/replay-words.ts';
import {
  detectableExplanation,
  pExplanation,
  toLeftOutLine,
  toPlainSummary,
} from '../../../domain/replay-verdict-words.ts';
import { toJudgeLine, toTrustLine } from '../compare/judge-words.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { Terminal } from '../../../clients/cli/terminal.ts';

const mostCases = 5;

/** Prints what a replay has found: its verdict in plain sentences, its counts, metrics, and the cases that changed most. */
export function printReport(terminal: Terminal, report: ReplayReport): void {
  const { replay, summary, judgement, lanes, cases } = report;
  const { candidate } = lanes;
  terminal.line(terminal.style('bold', toPlainSummary(report)));
  terminal.line();
  terminal.line(`${replay.name} (${replay.id}): ${toProgressText(replay)}`);
  if (candidate)
    terminal.line(`${candidate.passed} of ${toCountText(candidate.runs, 'run')} of the candidate passed`);
  terminal.line(toOutsideLine(report));
  const judgeLine = toJudgeLine(report);
  if (judgeLine !== null) terminal.line(judgeLine);
  if (summary.judge) terminal.line(`… ${toTrustLine(summary.judge, candidate?.runs ?? 0)}`);
  printMetrics(terminal, report);
  printCases(
    terminal,
    cases.filter(({ changed }) => changed),
  );
  terminal.line();
  terminal.line(`Verdict: ${terminal.style('bold', judgement.verdict)}`);
}

function printMetrics(terminal: Terminal, report: ReplayReport): void {
  const { metrics } = report.judgement;
  if (metrics.length > 0) terminal.line();
  for (const metric of metrics) terminal.line(toMetricLine(metric));
  const leftOut = toLeftOutLine(report);
  if (metrics.length > 0) for (const line of [pExplanation, detectableExplanation]) terminal.line(line);
  if (leftOut !== null) terminal.line(leftOut);
}

function printCases(terminal: Terminal, changed: ReplayReport['cases']): void {
  if (changed.length > 0) terminal.line();
  for (const one of changed.slice(0, mostCases))
    terminal.line(toOneLine(`case ${one.position}: ${toDifferenceLine(one) ?? ''}`, 160));
  if (changed.length > mostCases) terminal.line(`… and ${changed.length - mostCases} more`);
}

function toMetricLine(metric: ReportMetric): string {
  const { name, first, second, difference, adjustedPValue, verdict } = metric;
  const values = `${toValueText(name, first.value)} → ${toValueText(name, second.value)}`;
  const change = `${toDifferenceText(name, difference.value)} (${toIntervalText(name, difference)})`;
  const detectable = toDetectableText(metric);
  const notes = `p (Holm) ${toPText(adjustedPValue)}${detectable === '' ? '' : `, detectable ${detectable}`}`;
  return `${toMetricLabel(name).padEnd(18)} ${values.padEnd(24)} ${change.padEnd(44)} ${notes.padEnd(40)} ${verdict}`;
}
