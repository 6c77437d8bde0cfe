import { toKindText } from '../../api/replay-report.ts';
import type { ReplayCaseDetails } from '../../api/types.ts';
import { formatCompact, formatCredits, formatDuration } from '../../ui/format.ts';
import type { Column } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { laneNames } from './words.ts';

type Run = ReplayCaseDetails['runs'][number];

/** All runs of a case with their scores, tokens, cost and time. */
export function CaseRunTable({ runs }: { runs: readonly Run[] }) {
  return (
    <Table
      label="Runs of the case"
      items={runs}
      toKey={({ lane, repeat }) => `${lane} ${repeat}`}
      columns={columns}
    />
  );
}

const columns: Column<Run>[] = [
  {
    name: 'Run',
    width: '',
    cell: ({ lane, repeat }) => `${laneNames[lane] ?? lane}${repeat > 1 ? `, run ${repeat}` : ''}`,
  },
  { name: 'Result', width: '', cell: (run) => <Result run={run} /> },
  {
    name: 'Tool calls',
    width: '',
    cell: ({ comparison }) => (comparison ? toKindText(comparison.trajectory) : ''),
  },
  {
    name: 'Scores',
    width: '',
    isWide: true,
    cell: ({ comparison }) =>
      Object.entries(comparison?.scores ?? {})
        .map(([name, score]) => `${name} ${Number(score.toFixed(3))}`)
        .join(', '),
  },
  {
    name: 'Tokens',
    width: '',
    isNumber: true,
    isWide: true,
    cell: ({ run }) => formatCompact(sum(run, ({ usage }) => usage.inputTokens + usage.outputTokens)),
  },
  {
    name: 'Cost',
    width: '',
    isNumber: true,
    cell: ({ run }) =>
      run?.turns.some(({ costUsd }) => costUsd === null)
        ? 'unknown'
        : formatCredits(sum(run, ({ costUsd }) => costUsd ?? 0) * 1_000_000),
  },
  {
    name: 'Took',
    width: '',
    isNumber: true,
    cell: ({ run }) => formatDuration(sum(run, ({ durationMs }) => durationMs)),
  },
];

function Result({ run: { comparison, error } }: { run: Run }) {
  if (error) return <Status status="failed" text="not run" />;
  if (!comparison) return null;
  if (comparison.passed) return <Status status="succeeded" text="passed" />;
  return <Status status="failed" text="not passed" />;
}

type Turn = NonNullable<Run['run']>['turns'][number];

const sum = (run: Run['run'], read: (turn: Turn) => number) =>
  (run?.turns ?? []).reduce((total, turn) => total + read(turn), 0);
