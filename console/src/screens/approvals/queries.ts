import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { PendingAction } from '../../api/types.ts';
import { endStatuses, type EndStatus } from './search.ts';

/** Where the lists of actions that have ended go on, by how they have ended; a list that is read whole has no place. */
type Cursors = Readonly<Partial<Record<EndStatus, string>>>;

/** A page of the lists of actions that have ended. */
interface EndedPage {
  actions: readonly PendingAction[];
  next: Cursors;
  /** The newest of the last actions of the lists that go on: older ones are not complete yet. Empty when all are read. */
  completeTo: string;
}

/** The actions that have ended, newest first. The API lists them by how they have ended, so several lists are read together. */
export const endedQuery = (status: EndStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['actions', 'ended', status ?? 'any'],
    queryFn: async ({ pageParam, signal }): Promise<EndedPage> => {
      const pages = await Promise.all(
        Object.entries(pageParam).map(async ([name, cursor]) => {
          const query = { status: name as EndStatus, limit: 50, ...(cursor === '' ? {} : { cursor }) };
          return { name, ...(await holdfast.pendingActions.list(query, { signal })) };
        }),
      );
      const open = pages.filter(({ nextCursor }) => nextCursor !== null);
      return {
        actions: pages.flatMap(({ items }) => items),
        next: Object.fromEntries(open.map(({ name, nextCursor }) => [name, nextCursor])),
        completeTo: open.map(({ items }) => items.at(-1)?.id ?? '').reduce(greater, ''),
      };
    },
    initialPageParam: Object.fromEntries(
      endStatuses.filter((one) => status === undefined || one === status).map((one) => [one, '']),
    ) as Cursors,
    getNextPageParam: ({ next }) => (Object.keys(next).length === 0 ? undefined : next),
    select: ({ pages }) => {
      const completeTo = pages.at(-1)?.completeTo ?? '';
      const known = new Map(pages.flatMap(({ actions }) => actions.map((action) => [action.id, action])));
      return [...known.values()]
        .filter(({ id }) => id >= completeTo)
        .toSorted((one, other) => (one.id < other.id ? 1 : -1));
    },
  });

const greater = (one: string, other: string) => (one > other ? one : other);

/** Remembered approvals, newest first: those that hold, or all. */
export const grantsQuery = (which: 'active' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['actions', 'grants', which],
    queryFn: ({ pageParam, signal }) =>
      holdfast.approvalGrants.list(
        {
          limit: 50,
          ...(which === 'active' ? { active: 'true' as const } : {}),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
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
