import type { ReportCase, ReportHead, ReportMetric } from '../../../domain/replay-report.ts';
import {
  detectableExplanation,
  pExplanation,
  toLeftOutLine,
  toPlainSummary,
} from '../../../domain/replay-verdict-words.ts';
import { toJudgeLine, toTrustLine } from '../compare/judge-words.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { BuiltReport } from './build-report.ts';
import {
  toCountText,
  toDetectableText,
  toDifferenceLine,
  toDifferenceText,
  toIncompleteLine,
  toIntervalText,
  toMetricLabel,
  toOutsideLine,
  toPText,
  toValueText,
  toVerdictLine,
} from '../../../domain/replay-words.ts';

const mostCases = 10;
const shownCharacters = 160;

/** Writes a report as Markdown for a pull request: verdict, metrics, and the cases that changed most. */
export function toMarkdown({ head, cases }: BuiltReport): string {
  const changed = listChanged(cases());
  return [
    `### Replay ${toCode(head.replay.name)}: ${toVerdictLine(head)}`,
    '',
    ...toIncompleteLines(head),
    `**${escape(toPlainSummary(head))}**`,
    '',
    toCountLine(head),
    `${toOutsideLine(head)}.`,
    ...toJudgeLines(head),
    '',
    ...toMetricTable(head),
    '',
    ...toNotes(head),
    '',
    ...toCaseTable(changed),
  ].join('\n');
}

function toIncompleteLines({ replay }: ReportHead): string[] {
  const line = toIncompleteLine(replay);
  return line === null ? [] : [`**${escape(line)}**`, ''];
}

function toJudgeLines(head: ReportHead): string[] {
  const line = toJudgeLine(head);
  const { judge } = head.summary;
  if (line === null || !judge) return [];
  const trust = toTrustLine(judge, head.lanes.candidate?.runs ?? 0);
  return ['', `${escape(line)}; ${trust}.`];
}

function listChanged(cases: Iterable<ReportCase>): ReportCase[] {
  const changed: ReportCase[] = [];
  for (const one of cases) {
    // The cases that changed most come first.
    if (!one.changed || changed.length === mostCases) break;
    changed.push(one);
  }
  return changed;
}

function toCountLine({ summary, lanes: { candidate }, replay }: ReportHead): string {
  const passed = candidate ? `${candidate.passed} of ${candidate.runs} runs of the candidate passed` : '';
  const { none = 0 } = summary.differences;
  const changed = Object.values(summary.differences).reduce((sum, count) => sum + count, -none);
  const what = replay.input.mode === 'turns' ? 'recorded turn' : 'recorded conversation';
  const differ = changed === 1 ? '1 differs' : `${changed} differ`;
  return `${toCountText(summary.cases, what)}; ${passed}, ${differ} from what was recorded.`;
}

/** Explains the columns, and names the metrics that are missing in the table. */
function toNotes(head: ReportHead): string[] {
  const leftOut = toLeftOutLine(head);
  return [`${pExplanation}  `, detectableExplanation, ...(leftOut === null ? [] : ['', escape(leftOut)])];
}

function toMetricTable({ judgement, replay }: ReportHead): string[] {
  const first = replay.input.baseline ? 'baseline' : 'recorded';
  return [
    `| metric | ${first} | candidate | difference | 95 % interval | p (Holm) | detectable | verdict |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...judgement.metrics.map(toRow),
  ];
}

function toRow({
  name,
  first,
  second,
  difference,
  adjustedPValue,
  verdict,
  ...metric
}: ReportMetric): string {
  const cells = [
    escape(toMetricLabel(name)),
    toValueText(name, first.value),
    toValueText(name, second.value),
    toDifferenceText(name, difference.value),
    toIntervalText(name, difference),
    toPText(adjustedPValue),
    toDetectableText({ name, ...metric }),
    verdict === 'no evidence' ? verdict : `**${verdict}**`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function toCaseTable(changed: ReportCase[]): string[] {
  if (changed.length === 0) return ['No case differs from what was recorded.', ''];
  return [
    '| case | message | first difference |',
    '| --- | --- | --- |',
    ...changed.map(
      (one) => `| ${one.position} | ${toCode(one.message)} | ${toCode(toDifferenceLine(one) ?? '')} |`,
    ),
    '',
  ];
}

/** A text of others as code, which has no links, mentions or markup, in a cell of a table. */
function toCode(text: string): string {
  const line = toOneLine(text, shownCharacters).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return line === '' ? '' : `${fence} ${line} ${fence}`;
}

function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>|#@&]/g, '\\$&');
}
