import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Empty } from '../../ui/empty.tsx';
import { formatDateTime, formatDuration } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { stepsQuery, type Run, type Step } from './queries.ts';
import styles from './routines.module.css';

/** All steps of a run in the order in which they began. */
export function StepsList({ run }: { run: Run }) {
  const steps = useInfiniteQuery(stepsQuery(run.id));
  const queries = useQueryClient();
  const newest = run.steps.at(-1);
  useEffect(
    () => void queries.invalidateQueries({ queryKey: stepsQuery(run.id).queryKey }),
    [queries, run.id, run.status, newest?.number, newest?.state],
  );
  return (
    <>
      <Problem error={steps.error} />
      <List
        label="Steps"
        items={steps.data?.pages.flatMap((page) => page.steps) ?? []}
        toKey={({ number }) => String(number)}
        columns={columns}
        loadMore={steps.hasNextPage ? () => void steps.fetchNextPage() : undefined}
        isLoading={steps.isFetching}
        empty={<Empty title="No step has begun yet" />}
      />
    </>
  );
}

const columns: Column<Step>[] = [
  { name: 'Step', width: '48px', isNumber: true, cell: ({ number }) => number },
  { name: 'State', width: '104px', cell: ({ state }) => <Status status={state} /> },
  {
    name: 'Task',
    width: 'minmax(0, 1fr)',
    cell: ({ number, name }) => (
      <Link
        to="."
        search={(before: object) => ({ ...before, view: 'diagram', step: number })}
        className={styles.name}
      >
        <code>{name}</code>
      </Link>
    ),
  },
  { name: 'Kind', width: '64px', isWide: true, cell: ({ kind }) => kind },
  {
    name: 'Output',
    width: 'minmax(0, 3fr)',
    isWide: true,
    cell: ({ outputPreview, error, waitsFor }) => (
      <code>{error ? JSON.stringify(error) : (outputPreview ?? waitsFor)}</code>
    ),
  },
  {
    name: 'Took',
    width: '84px',
    isNumber: true,
    cell: ({ startedAt, endedAt }) =>
      endedAt === null ? '' : formatDuration(Date.parse(endedAt) - Date.parse(startedAt)),
  },
  {
    name: 'Began',
    width: '176px',
    isNumber: true,
    isWide: true,
    cell: ({ startedAt }) => formatDateTime(startedAt),
  },
];
