import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ListRoutinesResponse } from '../../api/types.ts';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import { routinesQuery } from './queries.ts';
import styles from './routines.module.css';
import { RunsList } from './runs-list.tsx';
import { parseRoutinesSearch, routinesViews } from './search.ts';

const viewNames = { routines: 'Routines', runs: 'Runs' };

/** The routines of the workspace, and the runs of all of them. */
export function Page() {
  const { view } = useSearchOf(parseRoutinesSearch);
  return (
    <Frame
      title="Routines"
      fills
      actions={useMay()('routines:write') ? <NewButton /> : undefined}
      bar={
        <Tabs
          label="Views"
          name="view"
          value={view}
          tabs={routinesViews.map((value) => ({ value, text: viewNames[value] }))}
        />
      }
    >
      {view === 'routines' ? <Routines /> : <RunsList />}
    </Frame>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/routines/new' })}>
      New routine …
    </Button>
  );
}

function Routines() {
  const routines = useInfiniteQuery(routinesQuery);
  return (
    <>
      <Problem error={routines.error} />
      <List
        label="Routines"
        items={routines.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={useColumns()}
        loadMore={routines.hasNextPage ? () => void routines.fetchNextPage() : undefined}
        isLoading={routines.isFetching}
        empty={<NoRoutines />}
      />
    </>
  );
}

function NoRoutines() {
  const canWrite = useMay()('routines:write');
  return (
    <Empty
      title="There is no routine yet"
      text="A routine is a procedure of many steps: it calls tools and people, waits for days, and survives every restart."
      action={canWrite ? <Link to="/routines/new">Create one</Link> : undefined}
    />
  );
}

function useColumns(): Column<ListRoutinesResponse['items'][number]>[] {
  const names = useAgentNames();
  return [
    {
      name: 'Name',
      width: 'minmax(0, 2fr)',
      cell: ({ id, namespace, name }) => (
        <Link to="/routines/$routineId" params={{ routineId: id }} className={styles.name}>
          <span className={styles.quiet}>{namespace}/</span>
          {name}
        </Link>
      ),
    },
    {
      name: 'What it does',
      width: 'minmax(0, 3fr)',
      isWide: true,
      cell: ({ title, summary }) => title ?? summary ?? '',
    },
    {
      name: 'Acts as',
      width: 'minmax(0, 1fr)',
      isWide: true,
      cell: ({ agentId }) => (agentId === null ? 'who starts it' : (names?.get(agentId) ?? '')),
    },
    { name: 'Version', width: '64px', isNumber: true, cell: ({ version }) => version },
    { name: 'Changed', width: '96px', isNumber: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}
