import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { RunsSearch } from './search.ts';

/** The turns of the workspace that the filters choose, newest first. */
export const runsQuery = (search: RunsSearch) =>
  infiniteQueryOptions({
    queryKey: ['turns', 'list', search],
    queryFn: ({ pageParam, signal }) =>
      holdfast.turns.find(
        { ...search, limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** One turn with its tool calls. */
export const turnQuery = (turnId: string) =>
  queryOptions({
    queryKey: ['turns', 'one', turnId],
    queryFn: ({ signal }) => holdfast.turns.get(turnId, { signal }),
  });

/** The model calls of a turn, with their times and attempts. */
export const modelCallsQuery = (turnId: string) =>
  queryOptions({
    queryKey: ['turns', 'model-calls', turnId],
    queryFn: ({ signal }) => holdfast.turns.modelCalls(turnId, { signal }),
  });
