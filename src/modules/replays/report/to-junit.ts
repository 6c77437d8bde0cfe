import type { ReportCase, ReportHead } from '../../../domain/replay-report.ts';
import { toPlainSummary } from '../../../domain/replay-verdict-words.ts';
import { toOneLine } from '../../../domain/text.ts';
import type { BuiltReport } from './build-report.ts';
import { isFailed } from './is-failed.ts';
import { toDifferenceLine, toIncompleteLine, toKindText } from '../../../domain/replay-words.ts';

/**
 * Writes a report as JUnit XML, in pieces: a test case for each case, which fails with its first difference. A replay that
 * has not made all of its runs has one test case more, which is an error.
 */
export function* toJunitPieces({ head, tally, cases }: BuiltReport): Generator<string> {
  const { name } = head.replay;
  const seconds = toSeconds(head.lanes.candidate?.durationMs ?? 0);
  const incomplete = toIncompleteLine(head.replay);
  const more = incomplete === null ? 0 : 1;
  const tests = `tests="${tally.cases + more}" failures="${tally.failed}" errors="${tally.notRun + more}"`;
  const counts = `${tests} time="${seconds}"`;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="holdfast replay" ${counts}>\n`;
  yield `<testsuite name="${escape(name)}" ${counts} timestamp="${head.replay.createdAt}">\n`;
  yield toSuiteProperties(head);
  if (incomplete !== null) yield toIncompleteCase(head, incomplete);
  for (const one of cases()) yield toTestCase(one, name);
  yield '</testsuite>\n</testsuites>\n';
}

function toIncompleteCase({ replay: { name, status } }: ReportHead, line: string): string {
  const error = `<error type="${status}" message="${escape(line)}">${escape(line)}</error>`;
  return `<testcase classname="${escape(name)}" name="all runs are made" time="0">${error}</testcase>\n`;
}

function toTestCase(one: ReportCase, suite: string): string {
  const { candidate } = one.lanes;
  const name = `case ${one.position}: ${toOneLine(one.message, 100)}`;
  const opening = `<testcase classname="${escape(suite)}" name="${escape(name)}" time="${toSeconds(candidate?.durationMs ?? 0)}"`;
  const inner = `${toProperties({ judge: one.lanes.candidate?.judged?.verdict ?? null })}${isFailed(one) ? toFailure(one) : ''}`;
  return inner === '' ? `${opening}/>\n` : `${opening}>${inner}</testcase>\n`;
}

function toSuiteProperties(head: ReportHead): string {
  const { changes } = head.summary;
  const verdict = {
    ...{ verdict: head.judgement.verdict, summary: toPlainSummary(head) },
    ...{ regressed: String(changes.regressed), brokenCalls: String(changes.brokenCalls) },
  };
  return `${toProperties({ ...verdict, ...toJudgeProperties(head) })}\n`;
}

function toJudgeProperties({ summary: { judge }, replay }: ReportHead): Record<string, string | null> {
  if (!judge) return {};
  const { better, worse, tie, flipped, labelled, agreed } = judge;
  const counts = Object.entries({ better, worse, tie, flipped, labelled, agreed });
  const properties = Object.fromEntries(counts.map(([name, count]) => [`judge.${name}`, String(count)]));
  return { 'judge.model': replay.input.judge?.model ?? null, ...properties };
}

function toProperties(values: Record<string, string | null>): string {
  const properties = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [`<property name="${name}" value="${escape(value)}"/>`],
  );
  return properties.length === 0 ? '' : `<properties>${properties.join('')}</properties>`;
}

function toFailure(one: ReportCase): string {
  const { candidate } = one.lanes;
  const line = toDifferenceLine(one) ?? 'did not pass with every repeat';
  const element = candidate?.error ? 'error' : 'failure';
  const type = candidate?.error?.code ?? toKindText(candidate?.firstDifference?.kind ?? 'repeat');
  const details = `conversation ${one.conversationId}, turn ${one.turnIds[one.turn - 1] ?? 'unknown'}\n${line}`;
  return `<${element} type="${escape(type)}" message="${escape(toOneLine(line, 300))}">${escape(details)}</${element}>`;
}

function toSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
