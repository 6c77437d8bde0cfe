import type { ReplayReport } from '../../api/replay-report.ts';
import { formatCount, formatCredits, formatDuration } from '../../ui/format.ts';
import { toWords } from '../../ui/tone.ts';
import { LaneFigures, type Figure } from './lane-figures.tsx';

type Lane = NonNullable<ReplayReport['lanes']['candidate']>;

/** The sums of the recorded runs, of those with the recorded version, and of the candidate's. */
export function LaneTable({ report }: { report: ReplayReport }) {
  return <LaneFigures label="Sums" lanes={report.lanes} figures={figures} />;
}

const figures: Figure<Lane>[] = [
  ['Runs', ({ runs }) => formatCount(runs)],
  // The recorded runs are what the others are compared with.
  ['Passed', ({ passed, passRate }) => (passRate ? formatCount(passed) : '')],
  ['Not run', ({ failed }) => formatCount(failed)],
  ['Outcomes', ({ outcomes }) => toList(outcomes)],
  ['Tool calls against the recorded ones', ({ trajectories }) => toList(trajectories)],
  ['Calls blocked by rules', ({ ruleBlocks }) => formatCount(ruleBlocks)],
  ['Calls before which a person would be asked', ({ asks }) => formatCount(asks)],
  ['Tokens in', ({ usage }) => formatCount(usage.inputTokens)],
  ['of these from the cache', ({ usage }) => formatCount(usage.cacheReadTokens)],
  ['of these into the cache', ({ usage }) => formatCount(usage.cacheWriteTokens)],
  ['Tokens out', ({ usage }) => formatCount(usage.outputTokens)],
  ['of these reasoning', ({ usage }) => formatCount(usage.reasoningTokens)],
  ['Cost', ({ costUsd }) => (costUsd === null ? 'unknown' : formatCredits(costUsd * 1_000_000))],
  ['Took (median)', ({ durations }) => (durations ? formatDuration(durations.p50Ms) : '')],
  ['Took (95 % at most)', ({ durations }) => (durations ? formatDuration(durations.p95Ms) : '')],
];

function toList(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${formatCount(count)} ${toWords(name)}`)
    .join(', ');
}
