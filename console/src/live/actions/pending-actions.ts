import { queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { PendingAction } from '../../api/types.ts';

/** The actions that are read at most. */
const mostActions = 1_000;

/** What waits for people, the one that expires first at the beginning. */
interface PendingActions {
  actions: readonly PendingAction[];
  /** Whether there are more, which were not read. */
  isCut: boolean;
}

/** What waits for people in the workspace. */
export const pendingActionsQuery = queryOptions({
  queryKey: ['actions', 'pending'],
  queryFn: async ({ signal }): Promise<PendingActions> => {
    const actions: PendingAction[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await holdfast.pendingActions.list({ limit: 100, cursor }, { signal });
      actions.push(...page.items);
      const isCut = page.nextCursor !== null && actions.length >= mostActions;
      if (page.nextCursor === null || isCut) return { actions: actions.toSorted(byExpiry), isCut };
      cursor = page.nextCursor;
    }
  },
  // The stream of changes says what is new; this is for when it is interrupted.
  refetchInterval: 15_000,
});

/** Sorts actions by their expiry, the earliest first. */
export const byExpiry = (one: PendingAction, other: PendingAction) =>
  one.expiresAt.localeCompare(other.expiresAt) || one.id.localeCompare(other.id);

/** One action. */
export const actionQuery = (actionId: string) =>
  queryOptions({
    queryKey: ['actions', 'one', actionId],
    queryFn: ({ signal }) => holdfast.pendingActions.get(actionId, { signal }),
  });
