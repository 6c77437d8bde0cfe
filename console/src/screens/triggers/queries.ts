import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { toPageRequest } from '../../api/pages.ts';
import type { TriggerDelivery } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';

/** The triggers of the workspace, newest first. */
export const triggersQuery = infiniteQueryOptions({
  queryKey: ['triggers', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.triggers.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One trigger. */
export const triggerQuery = (triggerId: string) =>
  queryOptions({
    queryKey: ['triggers', 'one', triggerId],
    queryFn: ({ signal }) => holdfast.triggers.get(triggerId, { signal }),
  });

/** The events that have come to a trigger, newest first. */
export const eventsQuery = (triggerId: string, status: TriggerDelivery['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['triggers', 'events', triggerId, status ?? ''],
    queryFn: ({ pageParam, signal }) =>
      holdfast.triggers.deliveries.list(triggerId, { ...toPageRequest(pageParam), status }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** One event with its payload. */
export const eventQuery = (triggerId: string, eventId: string) =>
  queryOptions({
    queryKey: ['triggers', 'event', triggerId, eventId],
    queryFn: ({ signal }) => holdfast.triggers.deliveries.get(triggerId, eventId, { signal }),
  });

const sendersQuery = queryOptions({
  queryKey: ['providers', 'senders'],
  staleTime: 300_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const { providers } = await holdfast.providers.list({}, { signal });
    const known = providers.filter(({ webhooks }) => webhooks !== null);
    return new Map([
      ...known.map(({ name, title }) => [name, title] as const),
      ['standard-webhooks', 'A program that signs by Standard Webhooks'],
      ['custom', 'Another one, by a rule'],
    ]);
  },
});

/** The names of those whose events a trigger can take; undefined for who may not read the catalogue. */
export function useSenderNames(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...sendersQuery, enabled: useMay()('connections:read') }).data;
}
