// Runs in the browser.
import type { ReportCase } from '../replay-report.ts';

/** The conditions of a reader; an empty text takes all cases. */
export interface CaseFilter {
  search: string;
  verdict: string;
  trajectory: string;
  kind: string;
  tool: string;
  judge: string;
}

/** The result of a case: `passed`, `failed`, or `not run`. */
export function toResult({ lanes: { candidate } }: ReportCase): string {
  if (!candidate || candidate.error) return 'not run';
  return candidate.repeats.passed === candidate.repeats.runs ? 'passed' : 'failed';
}

/** The kind of the first difference of a case. */
export function toKind({ lanes: { candidate } }: ReportCase): string {
  if (!candidate || candidate.error) return 'not_run';
  return candidate.firstDifference?.kind ?? 'none';
}

/** The verdict of the judge about a case, or `none`. */
export function toJudgeVerdict({ lanes: { candidate } }: ReportCase): string {
  const judged = candidate?.judged;
  if (!judged) return 'none';
  return judged.flipped ? 'contradicted itself' : judged.verdict;
}

/** The texts of a case in which readers search, in small letters. */
function toSearchText({ message, tools, lanes, conversationId, turnIds }: ReportCase): string {
  const runs = Object.values(lanes);
  const differences = runs.flatMap(({ firstDifference: one }) => (one ? [one.expected, one.found] : []));
  const answers = runs.map(({ answer, error }) => `${answer ?? ''} ${error?.message ?? ''}`);
  const reasons = runs.flatMap(({ judged }) => judged?.reasons ?? []);
  return [message, ...tools, ...answers, ...differences, ...reasons, conversationId, ...turnIds]
    .join('\n')
    .toLowerCase();
}

const searchTexts = new Map<ReportCase, string>();

function isFound(one: ReportCase, words: string[]): boolean {
  if (words.length === 0) return true;
  const text = searchTexts.get(one) ?? toSearchText(one);
  searchTexts.set(one, text);
  return words.every((word) => text.includes(word));
}

/** Returns the cases that meet all conditions; the search finds those that have all of its words. */
export function searchCases(cases: readonly ReportCase[], filter: CaseFilter): ReportCase[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const accepts = (wanted: string, found: string) => wanted === '' || wanted === found;
  return cases.filter(
    (one) =>
      accepts(filter.verdict, toResult(one)) &&
      accepts(filter.trajectory, one.lanes.candidate?.trajectory ?? 'not_run') &&
      accepts(filter.kind, toKind(one)) &&
      accepts(filter.judge, toJudgeVerdict(one)) &&
      (filter.tool === '' || one.tools.includes(filter.tool)) &&
      isFound(one, words),
  );
}
