import type { ReplayReport, ReportMetric } from '../../domain/replay-report.ts';
import {
  toCountText,
  toDifferenceLine,
  toDifferenceText,
  toIntervalText,
  toMetricLabel,
  toOutsideLine,
  toProgressText,
  toValueText,
} from '../../domain/replay-words.ts';
import { toJudgeLine, toTrustLine } from '../../domain/judge-words.ts';
import { toOneLine } from '../../domain/text.ts';
import type { Terminal } from '../terminal.ts';

const mostCases = 5;

/** Prints what a replay has found: its counts, metrics, the cases that changed most, and the verdict. */
export function printReport(terminal: Terminal, report: ReplayReport): void {
  const { replay, summary, judgement, lanes, cases } = report;
  const { candidate } = lanes;
  terminal.line(`${replay.name} (${replay.id}): ${toProgressText(replay)}`);
  if (candidate)
    terminal.line(`${candidate.passed} of ${toCountText(candidate.runs, 'run')} of the candidate passed`);
  terminal.line(toOutsideLine({ summary }));
  const judgeLine = toJudgeLine(report);
  if (judgeLine !== null) terminal.line(judgeLine);
  if (summary.judge) terminal.line(`… ${toTrustLine(summary.judge, candidate?.runs ?? 0)}`);
  if (judgement.metrics.length > 0) terminal.line();
  for (const metric of judgement.metrics) terminal.line(toMetricLine(metric));
  const changed = cases.filter((one) => one.changed);
  if (changed.length > 0) terminal.line();
  for (const one of changed.slice(0, mostCases))
    terminal.line(toOneLine(`case ${one.position}: ${toDifferenceLine(one) ?? ''}`, 160));
  if (changed.length > mostCases) terminal.line(`… and ${changed.length - mostCases} more`);
  terminal.line();
  terminal.line(`Verdict: ${terminal.style('bold', judgement.verdict)}`);
}

function toMetricLine({ name, first, second, difference, verdict }: ReportMetric): string {
  const values = `${toValueText(name, first.value)} → ${toValueText(name, second.value)}`;
  const change = `${toDifferenceText(name, difference.value)} (${toIntervalText(name, difference)})`;
  return `${toMetricLabel(name).padEnd(18)} ${values.padEnd(24)} ${change.padEnd(44)} ${verdict}`;
}
