import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';

/** The schedules of the workspace, newest first. */
export const schedulesQuery = infiniteQueryOptions({
  queryKey: ['schedules', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.schedules.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One schedule with the times of its next runs, which Temporal is asked for. */
export const scheduleQuery = (scheduleId: string) =>
  queryOptions({
    queryKey: ['schedules', 'one', scheduleId],
    staleTime: 20_000,
    refetchInterval: 30_000,
    queryFn: ({ signal }) => holdfast.schedules.get(scheduleId, { signal }),
  });

/** The runs of a schedule, newest first. */
export const runsQuery = (scheduleId: string) =>
  infiniteQueryOptions({
    queryKey: ['schedules', 'runs', scheduleId],
    queryFn: ({ pageParam, signal }) =>
      holdfast.schedules.runs.list(scheduleId, toPageRequest(pageParam), { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
