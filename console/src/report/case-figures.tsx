import { toKindText, type ReportCase } from '../api/replay-report.ts';
import { LaneFigures, type Figure } from '../screens/replays/lane-figures.tsx';
import { formatCount, formatCredits, formatDuration } from '../ui/format.ts';

type Run = NonNullable<ReportCase['lanes']['candidate']>;

/** Shows the figures of each run of a case; of several repeats, those of the one that changed most. */
export function CaseFigures({ one: { lanes } }: { one: ReportCase }) {
  return <LaneFigures label="Runs of the case" lanes={lanes} figures={figures} />;
}

const figures: Figure<Run>[] = [
  ['Passed', toPassedText],
  ['Outcome', ({ outcome }) => toKindText(outcome ?? 'not run')],
  ['Tool calls', ({ calls }) => formatCount(calls)],
  ['Against the recorded ones', ({ trajectory }) => toKindText(trajectory ?? '')],
  ['Scores', ({ scores }) => toListText(Object.entries(scores))],
  ['Judge', ({ judged }) => judged && `${judged.verdict}${judged.flipped ? ', contradicted itself' : ''}`],
  [
    'Blocked by rules',
    ({ ruleBlocks }) => toListText(ruleBlocks.map(({ tool, rule }) => [tool, `(${rule})`])) || 'none',
  ],
  ['Tokens in', ({ usage }) => formatCount(usage.inputTokens)],
  ['of these from the cache', ({ usage }) => formatCount(usage.cacheReadTokens)],
  ['of these into the cache', ({ usage }) => formatCount(usage.cacheWriteTokens)],
  ['Tokens out', ({ usage }) => formatCount(usage.outputTokens)],
  ['Cost', ({ costUsd }) => (costUsd === null ? 'unknown' : formatCredits(costUsd * 1_000_000))],
  ['Took', ({ durationMs }) => formatDuration(durationMs)],
];

function toPassedText({ passed, repeats }: Run): string {
  if (repeats.runs > 1) return `${repeats.passed} of ${repeats.runs}`;
  return passed ? 'yes' : 'no';
}

function toListText(parts: readonly (readonly [name: string, value: string | number])[]): string {
  return parts.map(([name, value]) => `${name} ${value}`).join(', ');
}
