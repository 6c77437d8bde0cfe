import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { ListAuditEventsResponse } from '../../api/types.ts';
import { toFilters, type AuditSearch } from './search.ts';

/** An event of the audit log. */
export type AuditEvent = ListAuditEventsResponse['items'][number];

const dayMs = 86_400_000;

function toQuery({ type, subjectId, person, apiKeyId, from, to }: AuditSearch) {
  return {
    ...{ type, subjectId, person, apiKeyId },
    ...{ from: from === undefined ? undefined : new Date(from).toISOString() },
    to: to === undefined ? undefined : new Date(Date.parse(to) + dayMs).toISOString(),
  };
}

/** The events that the filters choose, newest first. */
export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', 'list', toFilters(search)],
    queryFn: ({ pageParam, signal }) =>
      holdfast.auditEvents.list({ ...toQuery(search), limit: 100, cursor: pageParam }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? null : Number(nextCursor)),
  });

/** One event by its number; null when there is none. */
export const auditEventQuery = (seq: number) =>
  queryOptions({
    queryKey: ['audit-events', 'number', seq],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const { items } = await holdfast.auditEvents.list({ limit: 1, cursor: seq + 1 }, { signal });
      return items.find((event) => event.seq === seq) ?? null;
    },
  });
