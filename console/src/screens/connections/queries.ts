import { infiniteQueryOptions, queryOptions, type QueryClient } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { Connection } from '../../api/types.ts';
import { collect, toPageRequest } from '../../api/pages.ts';
import { connectionQuery, connectionToolsQuery } from '../../live/connect/queries.ts';
import type { ConnectionsSearch } from './search.ts';

/** The connections of the workspace, newest first. */
export const connectionsQuery = infiniteQueryOptions({
  queryKey: ['connections', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.connections.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** The last test of a connection on this page; it is run by `refetch` alone. */
export const connectionTestQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connection-tests', connectionId],
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: async ({ signal }) => ({
      ...(await holdfast.connections.test(connectionId, { signal })),
      at: new Date().toISOString(),
    }),
  });

/**
 * Shows a connection as a change has left it. Its tools are read anew only while it is active: the API refuses those of others.
 */
export async function showChanged(queries: QueryClient, connection: Connection): Promise<void> {
  queries.setQueryData(connectionQuery(connection.id).queryKey, connection);
  const tools = connection.status === 'active' ? [connectionToolsQuery(connection.id).queryKey] : [];
  const concerned = [connectionsQuery.queryKey, ['connections', 'of-provider'], ...tools];
  await Promise.all(concerned.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Tests a connection in the background; the page of the connection shows the result, and an error too. */
export function startTest(queries: QueryClient, connectionId: string): void {
  const test = { ...connectionTestQuery(connectionId), enabled: true, staleTime: 0 };
  void queries.query(test).catch(() => undefined);
}

/** The connections to one provider. */
export const connectionsOfQuery = (provider: string) =>
  queryOptions({
    queryKey: ['connections', 'of-provider', provider],
    queryFn: ({ signal }) => holdfast.connections.list({ provider, limit: 100 }, { signal }),
  });

/** The connectors of the workspace, newest first. */
export const connectorsQuery = infiniteQueryOptions({
  queryKey: ['connectors', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.connectors.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** The connector that a connection belongs to; null for one that stands alone. */
export const connectorOfQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connectors', 'of-connection', connectionId],
    queryFn: async ({ signal }) =>
      (await collect((page) => holdfast.connectors.list(page, { signal }))).find(
        (connector) => connector.connectionId === connectionId,
      ) ?? null,
  });

/** The providers of the catalogue and the imported ones that the text and the category choose. */
export const providersQuery = ({ search, category }: Pick<ConnectionsSearch, 'search' | 'category'> = {}) =>
  queryOptions({
    queryKey: ['providers', 'list', search ?? '', category ?? ''],
    staleTime: 30_000,
    queryFn: ({ signal }) => holdfast.providers.list({ search, category }, { signal }),
  });

/** One provider with its operations. */
export const providerQuery = (name: string) =>
  queryOptions({
    queryKey: ['providers', 'one', name],
    staleTime: 30_000,
    queryFn: ({ signal }) => holdfast.providers.get(name, { signal }),
  });
