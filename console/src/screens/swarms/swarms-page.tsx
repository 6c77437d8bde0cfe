import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ListSwarmsResponse } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCompact, formatCount, formatCredits } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { swarmsQuery } from './queries.ts';
import styles from './swarms.module.css';

/** The swarms of the workspace. */
export function Page() {
  const swarms = useInfiniteQuery(swarmsQuery);
  return (
    <Frame title="Swarms" fills actions={useMay()('swarms:write') ? <NewButton /> : undefined}>
      <Problem error={swarms.error} />
      <List
        label="Swarms"
        items={swarms.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={useColumns()}
        loadMore={swarms.hasNextPage ? () => void swarms.fetchNextPage() : undefined}
        isLoading={swarms.isFetching}
        empty={<NoSwarms />}
      />
    </Frame>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/swarms/new' })}>
      New swarm …
    </Button>
  );
}

function NoSwarms() {
  return (
    <Empty
      title="There is no swarm yet"
      text="In a swarm several agents work on one goal: a leader plans, members do subtasks, and all share their state."
      action={useMay()('swarms:write') ? <Link to="/swarms/new">Start one</Link> : undefined}
    />
  );
}

function useColumns(): Column<ListSwarmsResponse['items'][number]>[] {
  const names = useAgentNames();
  return [
    { name: 'State', width: '108px', cell: ({ status }) => <Status status={status} /> },
    {
      name: 'Goal',
      width: 'minmax(0, 3fr)',
      cell: ({ id, goal }) => (
        <Link to="/swarms/$swarmId" params={{ swarmId: id }} className={styles.name}>
          {goal}
        </Link>
      ),
    },
    {
      name: 'Leader',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ leader }) => (leader === null ? 'none' : (names?.get(leader) ?? '')),
    },
    {
      name: 'Person',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ startedBy }) => startedBy?.actingFor ?? '',
    },
    {
      name: 'Turns',
      width: '84px',
      isNumber: true,
      isWide: true,
      cell: ({ turnsUsed, limits }) => `${formatCount(turnsUsed)} of ${formatCount(limits.turns)}`,
    },
    {
      name: 'Tokens',
      width: '64px',
      isNumber: true,
      isWide: true,
      cell: ({ tokensUsed }) => formatCompact(tokensUsed),
    },
    {
      name: 'Cost',
      width: '84px',
      isNumber: true,
      isWide: true,
      cell: ({ creditsUsed }) => formatCredits(creditsUsed),
    },
    { name: 'Started', width: '96px', isNumber: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}
