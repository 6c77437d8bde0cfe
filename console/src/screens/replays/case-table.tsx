import { Link } from '@tanstack/react-router';
import { toDifferenceLine, type ReportCase } from '../../api/replay-report.ts';
import type { Column } from '../../ui/list.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import styles from './replays.module.css';
import { changeTones, toChange } from './words.ts';

/** The columns of lists of cases. */
export function toCaseColumns(replayId: string): Column<ReportCase>[] {
  return [
    { name: 'Case', width: '48px', isNumber: true, cell: ({ position }) => position },
    {
      name: 'Candidate',
      width: '96px',
      cell: (one) => <Status status={toChange(one)} tone={changeTones[toChange(one)]} />,
    },
    {
      name: 'Message',
      width: 'minmax(0, 2fr)',
      cell: ({ position, message }) => (
        <Link
          to="/replays/$replayId/cases/$position"
          params={{ replayId, position: String(position) }}
          className={styles.name}
        >
          {message || 'Without a text'}
        </Link>
      ),
    },
    {
      name: 'First difference',
      width: 'minmax(0, 3fr)',
      isWide: true,
      cell: (one) => <span className={styles.difference}>{toDifferenceLine(one) ?? 'none'}</span>,
    },
  ];
}

/** A few cases. */
export function CaseTable({ replayId, cases }: { replayId: string; cases: readonly ReportCase[] }) {
  return (
    <Table
      label="Cases"
      items={cases}
      toKey={({ position }) => String(position)}
      columns={toCaseColumns(replayId)}
      empty="The candidate did the same in all cases."
    />
  );
}
