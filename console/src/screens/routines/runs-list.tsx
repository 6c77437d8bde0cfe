import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgentNames } from '../../live/names.ts';
import { Empty } from '../../ui/empty.tsx';
import { formatDuration } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { runsQuery, type RunRow } from './queries.ts';
import styles from './routines.module.css';

interface RunsListProps {
  /** The routine whose runs are shown. @default those of all */
  routineId?: string;
  /** What begins a first run. */
  action?: ReactNode;
}

/** The runs of a routine or of all routines, newest first. */
export function RunsList({ routineId, action }: RunsListProps) {
  const runs = useInfiniteQuery(runsQuery(routineId));
  const columns = useColumns();
  return (
    <>
      <Problem error={runs.error} />
      <List
        label="Runs"
        items={runs.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={routineId === undefined ? columns : columns.filter(({ name }) => name !== 'Routine')}
        loadMore={runs.hasNextPage ? () => void runs.fetchNextPage() : undefined}
        isLoading={runs.isFetching}
        empty={
          <Empty
            title="It has not run yet"
            text="Runs are started here, by schedules, by triggers, by agents and by other routines."
            action={
              action ?? (routineId === undefined ? <Link to="/routines">Choose a routine</Link> : undefined)
            }
          />
        }
      />
    </>
  );
}

function useColumns(): Column<RunRow>[] {
  const names = useAgentNames();
  return [
    { name: 'State', width: '116px', cell: ({ status }) => <Status status={status} /> },
    {
      name: 'Input',
      width: 'minmax(0, 3fr)',
      cell: ({ id, input }) => (
        <Link to="/routine-runs/$runId" params={{ runId: id }} className={styles.name}>
          <code>{JSON.stringify(input)}</code>
        </Link>
      ),
    },
    { name: 'Routine', width: 'minmax(0, 1fr)', cell: ({ routineName }) => routineName },
    { name: 'Version', width: '64px', isNumber: true, isWide: true, cell: ({ version }) => version },
    {
      name: 'Agent',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ agentId }) => names?.get(agentId) ?? '',
    },
    {
      name: 'Person',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ startedBy }) => startedBy?.actingFor ?? '',
    },
    { name: 'Took', width: '84px', isNumber: true, isWide: true, cell: toDuration },
    { name: 'Started', width: '96px', isNumber: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function toDuration({ createdAt, settledAt }: RunRow): string {
  return settledAt === null ? '' : formatDuration(Date.parse(settledAt) - Date.parse(createdAt));
}
