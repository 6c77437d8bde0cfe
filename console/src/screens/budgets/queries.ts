import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';

/** How often what is spent is read again, in milliseconds. */
const intervalMs = 15_000;

/** The budgets of the workspace, newest first. */
export const budgetsQuery = infiniteQueryOptions({
  queryKey: ['budgets', 'list'],
  refetchInterval: intervalMs,
  queryFn: ({ pageParam, signal }) => holdfast.budgets.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One budget with what is spent of it in its present period. */
export const budgetQuery = (budgetId: string) =>
  queryOptions({
    queryKey: ['budgets', 'one', budgetId],
    refetchInterval: intervalMs,
    queryFn: ({ signal }) => holdfast.budgets.get(budgetId, { signal }),
  });

/** What each has spent of a budget for each, the most first. */
export const sharesQuery = (budgetId: string) =>
  infiniteQueryOptions({
    queryKey: ['budgets', 'shares', budgetId],
    refetchInterval: intervalMs,
    queryFn: ({ pageParam, signal }) =>
      holdfast.budgets.listShares(budgetId, toPageRequest(pageParam), { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
