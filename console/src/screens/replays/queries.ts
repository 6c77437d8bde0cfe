import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';
import type { ReplayReport } from '../../api/replay-report.ts';
import type { Replay, Turn } from '../../api/types.ts';
import type { NewSearch } from './search.ts';

/** The replays of the workspace, newest first. */
export const replaysQuery = infiniteQueryOptions({
  queryKey: ['replays', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.replays.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One replay. */
export const replayQuery = (replayId: string) =>
  queryOptions({
    queryKey: ['replays', 'one', replayId],
    queryFn: ({ signal }) => holdfast.replays.get(replayId, { signal }),
  });

/** The report of a replay: of the runs so far, when it has not ended. It is another one once it has. */
export const reportQuery = ({ id, settledAt }: Pick<Replay, 'id' | 'settledAt'>) =>
  queryOptions({
    queryKey: ['replay-reports', id, settledAt],
    queryFn: async ({ signal }) => {
      const text = await holdfast.replays.report(id, { format: 'json' }, { signal });
      return JSON.parse(await text.text()) as ReplayReport;
    },
  });

/** A case of a replay with all its runs. */
export const caseQuery = (replayId: string, position: number) =>
  queryOptions({
    queryKey: ['replay-cases', replayId, position],
    queryFn: ({ signal }) => holdfast.replays.cases.get(replayId, position, { signal }),
  });

/** A case as the report shows it, with the answers word by word; null before its candidate has run. */
export const reportCaseQuery = (replayId: string, position: number) =>
  queryOptions({
    queryKey: ['replay-cases', replayId, position, 'report'],
    queryFn: async ({ signal }) => {
      const before = position === 0 ? {} : { cursor: position - 1 };
      const { items } = await holdfast.replays.cases.list(replayId, { limit: 1, ...before }, { signal });
      return items.find((one) => one.position === position) ?? null;
    },
  });

/** The next case that the candidate has changed; null after the last one. */
export const nextChangedQuery = (replayId: string, position: number) =>
  queryOptions({
    queryKey: ['replay-cases', replayId, position, 'next'],
    queryFn: async ({ signal }) => {
      const after = { limit: 1, cursor: position, changed: 'true' } as const;
      const { items } = await holdfast.replays.cases.list(replayId, after, { signal });
      return items[0]?.position ?? null;
    },
  });

/** The maximum number of chosen runs that are shown one by one. */
const mostShown = 10;

/** The first of the chosen runs. */
export const chosenTurnsQuery = (turnIds: readonly string[]) =>
  queryOptions({
    queryKey: ['turns', 'chosen', turnIds.slice(0, mostShown)],
    queryFn: ({ signal }) =>
      Promise.all(turnIds.slice(0, mostShown).map((id) => holdfast.turns.get(id, { signal }))),
  });

/** How many runs of a filter are counted. */
const mostCounted = 100;

const replayed: readonly Turn['outcome'][] = ['completed', 'failed', 'iteration_limit'];

/** How many of the newest runs that a filter takes have ended, so that they can be replayed. */
export const filteredCountQuery = ({ agentId, tag, tool, from, to }: NewSearch) =>
  queryOptions({
    queryKey: ['turns', 'to-replay', { agentId, tag, tool, from, to }],
    queryFn: async ({ signal }) => {
      const filter = { agentId, tag, tool, from, to, limit: mostCounted };
      const { items, nextCursor } = await holdfast.turns.find(filter, { signal });
      const over = items.filter(({ outcome }) => replayed.includes(outcome)).length;
      return { found: items.length, over, isMore: nextCursor !== null };
    },
  });

/** The versions of an agent, newest first. */
export const versionsQuery = (agentId: string) =>
  queryOptions({
    queryKey: ['agents', 'versions', agentId],
    queryFn: ({ signal }) => holdfast.agents.versions.list(agentId, { limit: 50 }, { signal }),
  });

/** The models that agents may use. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  staleTime: 60_000,
  queryFn: ({ signal }) => holdfast.agents.models({ kind: 'language', configured: 'true' }, { signal }),
});
