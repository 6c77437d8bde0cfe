import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';
import type { GetRoutineRunResponse, GetRoutineResponse, ListRoutineRunsResponse } from '../../api/types.ts';

/** A routine with its newest document. */
export type Routine = GetRoutineResponse;

/** A run of a routine without its steps. */
export type RunRow = ListRoutineRunsResponse['items'][number];

/** A run of a routine with its newest steps. */
export type Run = GetRoutineRunResponse;

/** One execution of a task. */
export type Step = Run['steps'][number];

/** The routines of the workspace, newest first. */
export const routinesQuery = infiniteQueryOptions({
  queryKey: ['routines', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.routines.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One routine. */
export const routineQuery = (routineId: string) =>
  queryOptions({
    queryKey: ['routines', 'one', routineId],
    queryFn: ({ signal }) => holdfast.routines.get(routineId, { signal }),
  });

/** The runs of a routine, or with undefined of all routines, newest first. */
export const runsQuery = (routineId: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['routine-runs', 'list', routineId ?? ''],
    queryFn: ({ pageParam, signal }) =>
      holdfast.routineRuns.list({ ...toPageRequest(pageParam), routineId }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** One run with its newest steps. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['routine-runs', 'one', runId],
    queryFn: ({ signal }) => holdfast.routineRuns.get(runId, { signal }),
  });

/** The steps of a run in the order in which they began. */
export const stepsQuery = (runId: string) =>
  infiniteQueryOptions({
    queryKey: ['routine-runs', 'steps', runId],
    queryFn: ({ pageParam, signal }) =>
      holdfast.routineRuns.steps(runId, { after: pageParam, limit: 500 }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ nextAfter }) => nextAfter,
  });

/** The turn that hosts the calls of a run: it has their arguments and results, and what waits for a person. */
export const callsQuery = (runId: string) =>
  queryOptions({
    queryKey: ['turns', 'one', runId],
    queryFn: ({ signal }) => holdfast.turns.get(runId, { signal }),
  });
