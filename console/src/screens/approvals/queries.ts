import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';
import { mergePages, toEndedPage, type Cursors } from './ended-pages.ts';
import { endStatuses, type EndStatus } from './search.ts';

/** The actions that have ended, newest first. The API lists them by how they have ended, so several lists are read together. */
export const endedQuery = (status: EndStatus | undefined) => {
  const statuses = status === undefined ? endStatuses : [status];
  const initialPageParam: Cursors = Object.fromEntries(statuses.map((one) => [one, '']));
  return infiniteQueryOptions({
    queryKey: ['actions', 'ended', status ?? 'any'],
    queryFn: async ({ pageParam, signal }) =>
      toEndedPage(
        await Promise.all(
          statuses
            .filter((one) => pageParam[one] !== undefined)
            .map(async (one) => {
              const page = toPageRequest(pageParam[one] ?? '');
              return {
                status: one,
                ...(await holdfast.pendingActions.list({ status: one, ...page }, { signal })),
              };
            }),
        ),
      ),
    initialPageParam,
    getNextPageParam: ({ next }) => (Object.keys(next).length === 0 ? undefined : next),
    select: ({ pages }) => mergePages(pages),
  });
};

/** Remembered approvals, newest first: those that hold, or all. */
export const grantsQuery = (which: 'active' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['actions', 'grants', which],
    queryFn: ({ pageParam, signal }) =>
      holdfast.approvalGrants.list(
        { ...toPageRequest(pageParam), ...(which === 'active' ? { active: 'true' as const } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/**
 * The newest turn of a conversation; null for who decides about a call of the conversation and may not read it. Asking for the turn
 * itself would be refused then.
 */
export const readableTurnQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ['turns', 'newest-of', conversationId],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await holdfast.turns.find({ conversationId, limit: 1 }, { signal })).items[0] ?? null,
  });
