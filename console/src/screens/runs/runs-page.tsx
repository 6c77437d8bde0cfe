import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { holdfast } from '../../api/client.ts';
import type { ListedTurn, Turn } from '../../api/types.ts';
import { useSearchOf } from '../../app/address.ts';
import { useMay } from '../../app/session.tsx';
import { useAgentNames } from '../../live/names.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { formatCompact, formatCredits, formatDuration } from '../../ui/format.ts';
import { List, type Column } from '../../ui/list.tsx';
import { Page as Frame } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { runsQuery } from './queries.ts';
import { RunFilters } from './run-filters.tsx';
import styles from './runs.module.css';
import { parseRunsSearch, type RunsSearch } from './search.ts';

/** The list of all turns of the workspace. */
export function Page() {
  const search = useSearchOf(parseRunsSearch);
  const navigate = useNavigate();
  const runs = useInfiniteQuery(runsQuery(search));
  const turns = runs.data?.pages.flatMap(({ items }) => items) ?? [];
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const setSearch = (next: RunsSearch) => void navigate({ to: '/runs', search: next, replace: true });
  return (
    <Frame
      title="Runs"
      fills
      bar={<RunFilters search={search} onChange={setSearch} />}
      actions={
        <BulkActions chosen={turns.filter(({ id }) => chosen.has(id))} onDone={() => setChosen(new Set())} />
      }
    >
      <Problem error={runs.error} />
      <List
        label="Runs"
        items={turns}
        toKey={({ id }) => id}
        columns={useColumns({ chosen, setChosen })}
        loadMore={runs.hasNextPage ? () => void runs.fetchNextPage() : undefined}
        isLoading={runs.isFetching}
        empty={<NoRuns isFiltered={Object.keys(search).length > 0} onClear={() => setSearch({})} />}
      />
    </Frame>
  );
}

function NoRuns({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <Empty
        title="No run fits these filters"
        action={<Button onPress={onClear}>Clear the filters</Button>}
      />
    );
  return (
    <Empty
      title="Nothing has run yet"
      text="A run is one message to an agent and all that follows until the answer."
      action={<Link to="/playground">Talk to an agent</Link>}
    />
  );
}

interface Choosing {
  chosen: ReadonlySet<string>;
  setChosen: (chosen: ReadonlySet<string>) => void;
}

function useColumns({ chosen, setChosen }: Choosing): Column<ListedTurn>[] {
  const names = useAgentNames();
  const toggle = (id: string) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]));
  return [
    {
      name: 'Chosen',
      hidesName: true,
      width: '22px',
      isWide: true,
      cell: ({ id, status }) => (
        <input
          type="checkbox"
          aria-label={`Choose the run ${id} (${status})`}
          checked={chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
    { name: 'State', width: 'clamp(104px, 30vw, 164px)', cell: ({ status }) => <Status status={status} /> },
    { name: 'Message and answer', width: 'minmax(0, 3fr)', cell: (turn) => <Texts turn={turn} /> },
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
    { name: 'Steps', width: '48px', isNumber: true, isWide: true, cell: ({ iterations }) => iterations },
    { name: 'Took', width: '84px', isNumber: true, isWide: true, cell: toDuration },
    {
      name: 'Tokens',
      width: '64px',
      isNumber: true,
      isWide: true,
      cell: ({ usage }) => formatCompact(usage.inputTokens + usage.outputTokens),
    },
    {
      name: 'Cost',
      width: '76px',
      isNumber: true,
      isWide: true,
      cell: ({ credits }) => formatCredits(credits),
    },
    { name: 'Started', width: '88px', isNumber: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

/** The message of a turn, and below it the answer or what stands in its place. */
function Texts({ turn: { id, messagePreview, answer, error, status } }: { turn: ListedTurn }) {
  const ending = answer ?? error?.message ?? (status === 'queued' ? 'has not begun' : 'no answer yet');
  return (
    <Link to="/runs/$turnId" params={{ turnId: id }} className={styles.texts}>
      {messagePreview !== null && <span className={styles.message}>{messagePreview}</span>}
      <span className={messagePreview === null ? styles.message : styles.answer}>{ending}</span>
    </Link>
  );
}

function toDuration({ createdAt, startedAt, settledAt }: Turn): string {
  return settledAt === null ? '' : formatDuration(Date.parse(settledAt) - Date.parse(startedAt ?? createdAt));
}

/** Cancels, replays or exports the chosen runs. */
function BulkActions({ chosen, onDone }: { chosen: readonly Turn[]; onDone: () => void }) {
  const may = useMay();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const open = chosen.filter(({ outcome }) => outcome === null);
  const cancel = useMutation({
    mutationFn: () => Promise.all(open.map(({ id }) => holdfast.turns.cancel(id))),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['turns'] }),
  });
  const save = useMutation({
    mutationFn: () => exportRecordings(chosen.map(({ conversationId }) => conversationId)),
  });
  const replay = () =>
    void navigate({ to: '/replays/new', search: { turnIds: chosen.map(({ id }) => id).join() } });
  if (chosen.length === 0) return null;
  return (
    <>
      <Problem error={cancel.error ?? save.error} />
      {may('conversations:write') && open.length > 0 && (
        <Button kind="bad" isPending={cancel.isPending} onPress={() => cancel.mutate()}>
          Cancel {open.length}
        </Button>
      )}
      {may('replays:write') && open.length === 0 && (
        <Button onPress={replay}>Replay {chosen.length} …</Button>
      )}
      <Button isPending={save.isPending} onPress={() => save.mutate()}>
        Export {chosen.length}
      </Button>
    </>
  );
}

/** Saves the conversations of turns as a file of recordings, one line of JSON each. */
async function exportRecordings(conversationIds: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const conversationId of new Set(conversationIds)) {
    for await (const line of holdfast.recordings.export({ conversationId })) lines.push(line);
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }));
  link.download = 'recordings.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}
