import type { ReplayReport } from '../../api/replay-report.ts';
import { formatCount, formatCredits, formatDuration } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Table } from '../../ui/table.tsx';
import { toWords } from '../../ui/tone.ts';
import { laneNames } from './words.ts';

type Lane = [name: string, lane: NonNullable<ReplayReport['lanes']['candidate']>];

/** The sums of the recorded runs, of those with the recorded version, and of the candidate's. */
export function LaneTable({ report }: { report: ReplayReport }) {
  return (
    <Table label="Sums" items={Object.entries(report.lanes)} toKey={([name]) => name} columns={columns} />
  );
}

const number = { width: '', isNumber: true };
const wide = { ...number, isWide: true };

const columns: Column<Lane>[] = [
  { name: 'Runs of', width: '', cell: ([name]) => laneNames[name] ?? name },
  { name: 'Count', ...number, cell: ([, { runs }]) => formatCount(runs) },
  { name: 'Passed', ...number, cell: ([, { passed, passRate }]) => (passRate ? formatCount(passed) : '') },
  { name: 'Not run', ...number, cell: ([, { failed }]) => formatCount(failed) },
  { name: 'Outcomes', width: '', isWide: true, cell: ([, { outcomes }]) => toList(outcomes) },
  { name: 'Blocked by rules', ...wide, cell: ([, { ruleBlocks }]) => formatCount(ruleBlocks) },
  { name: 'Would ask', ...wide, cell: ([, { asks }]) => formatCount(asks) },
  { name: 'Tokens in', ...wide, cell: ([, { usage }]) => formatCount(usage.inputTokens) },
  { name: 'Tokens out', ...wide, cell: ([, { usage }]) => formatCount(usage.outputTokens) },
  {
    name: 'Cost',
    ...number,
    cell: ([, { costUsd }]) => (costUsd === null ? 'unknown' : formatCredits(costUsd * 1_000_000)),
  },
  {
    name: 'Took (median)',
    ...wide,
    cell: ([, { durations }]) => (durations ? formatDuration(durations.p50Ms) : ''),
  },
];

function toList(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${formatCount(count)} ${toWords(name)}`)
    .join(', ');
}
