import type { ReportCase, DiffPart } from '../../../domain/replay-report.ts';
import { cutToSize, toScriptJson, toSize } from './texts.ts';
import { diffWordsWithSpace } from 'diff';

/** Texts that differ in more places are shown side by side only. */
const mostParts = 400;

const mostEdits = 2_000;

/** The maximum number of bytes of a report with all its cases. */
const mostBytes = 9_000_000;

/** The maximum number of bytes of one text: the first one by which all cases fit. */
const caps = [4_000, 2_000, 1_000, 500, 250, 120, 60];

/** The maximum number of bytes of one text of a report. */
const mostTextBytes = 4_000;

/** A case whose texts can still be cut, with its size. */
export interface DraftCase {
  reportCase: ReportCase;
  /** The bytes of the case without its texts, and of each of them. */
  fixed: number;
  texts: number[];
}

/** Cuts the texts of a case to the maximum that a report shows, and measures it. */
export function toDraft(whole: ReportCase): DraftCase {
  const reportCase = mapTexts(whole, (text) => cutToSize(text, mostTextBytes));
  const all: string[] = [];
  mapTexts(reportCase, (text) => {
    all.push(text);
    return text;
  });
  const { original, candidate } = reportCase.lanes;
  // The diff has both answers once more.
  if (original && candidate?.answer != null) all.push(original.answer ?? '', candidate.answer);
  const texts = all.map(toSize);
  const empty = mapTexts(reportCase, () => '');
  return { reportCase, fixed: Buffer.byteLength(toScriptJson(empty)), texts };
}

/** Finds how long a text may be, in bytes, so that a report with these cases is not too long. */
export function findCap(drafts: readonly DraftCase[]): number {
  const toTotal = (cap: number) =>
    drafts.reduce(
      (sum, { fixed, texts }) => texts.reduce((inner, size) => inner + Math.min(size, cap), sum + fixed),
      0,
    );
  return caps.find((cap) => toTotal(cap) <= mostBytes) ?? caps.at(-1) ?? 0;
}

/** Cuts the texts of a case, and compares its answers. */
export function finishCase({ reportCase }: DraftCase, cap: number = mostTextBytes): ReportCase {
  const cut = mapTexts(reportCase, (text) => cutToSize(text, cap));
  const { original, candidate } = cut.lanes;
  const isSame = !original || candidate?.answer == null;
  return { ...cut, answerDiff: isSame ? null : diffAnswers(original.answer ?? '', candidate.answer ?? '') };
}

function mapTexts(reportCase: ReportCase, map: (text: string) => string): ReportCase {
  const lanes = Object.entries(reportCase.lanes).map(([name, lane]) => [
    name,
    {
      ...lane,
      answer: lane.answer === null ? null : map(lane.answer),
      error: lane.error && { code: lane.error.code, message: map(lane.error.message) },
      firstDifference: lane.firstDifference && {
        ...lane.firstDifference,
        expected: map(lane.firstDifference.expected),
        found: map(lane.firstDifference.found),
      },
      judged: lane.judged && { ...lane.judged, reasons: lane.judged.reasons.map(map) },
    },
  ]);
  return {
    ...reportCase,
    message: map(reportCase.message),
    lanes: Object.fromEntries(lanes) as ReportCase['lanes'],
  };
}

/** Compares two texts word by word. Neighbouring parts of one kind are one. */
function diffAnswers(recorded: string, answer: string): DiffPart[] {
  const whole = (
    [
      [-1, recorded],
      [1, answer],
    ] as DiffPart[]
  ).filter(([, text]) => text !== '');
  const changes = diffWordsWithSpace(recorded, answer, { maxEditLength: mostEdits });
  if (!changes || changes.length > mostParts) return whole;
  return changes.map(({ added, removed, value }): DiffPart => [added ? 1 : removed ? -1 : 0, value]);
}
