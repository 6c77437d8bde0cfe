import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Replay } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCount, formatCredits } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { replaysQuery } from './queries.ts';
import styles from './replays.module.css';
import { toCandidateText } from './words.ts';

/** The replays of the workspace. */
export function Page() {
  const replays = useInfiniteQuery({ ...replaysQuery, refetchInterval: 10_000 });
  return (
    <Frame title="Replays" fills actions={<NewReplay />}>
      <Problem error={replays.error} />
      <List
        label="Replays"
        items={replays.data?.pages.flatMap(({ items }) => items) ?? []}
        toKey={({ id }) => id}
        columns={columns}
        loadMore={replays.hasNextPage ? () => void replays.fetchNextPage() : undefined}
        isLoading={replays.isFetching}
        empty={
          <Empty
            title="Nothing was replayed yet"
            text="A replay runs recorded turns once more with another version, model or instructions, and says whether they do better. Tool calls get their recorded answers, so that nothing outside is reached but the model."
            action={<NewReplay />}
          />
        }
      />
    </Frame>
  );
}

/** Only who also reads conversations may start one. */
function NewReplay() {
  const may = useMay();
  const navigate = useNavigate();
  if (!may('replays:write') || !may('conversations:read')) return null;
  return (
    <Button kind="main" onPress={() => void navigate({ to: '/replays/new' })}>
      New replay …
    </Button>
  );
}

const columns: Column<Replay>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ id, name }) => (
      <Link to="/replays/$replayId" params={{ replayId: id }} className={styles.name}>
        {name}
      </Link>
    ),
  },
  { name: 'State', width: '104px', cell: ({ status }) => <Status status={status} /> },
  {
    name: 'Candidate',
    width: 'minmax(0, 2fr)',
    isWide: true,
    cell: ({ input }) => toCandidateText(input.candidate),
  },
  { name: 'Runs', width: '108px', isNumber: true, cell: toProgress },
  {
    name: 'Spent',
    width: '84px',
    isNumber: true,
    isWide: true,
    cell: ({ spent }) => formatCredits(spent.costUsd * 1_000_000),
  },
  {
    name: 'By',
    width: 'minmax(0, 1fr)',
    isWide: true,
    cell: ({ startedBy }) => startedBy?.actingFor ?? '',
  },
  {
    name: 'Started',
    width: '96px',
    isNumber: true,
    isWide: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function toProgress({ runs: { done, total } }: Replay): string {
  return total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
}
