import { queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';

/** One connection. */
export const connectionQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connections', 'one', connectionId],
    queryFn: ({ signal }) => holdfast.connections.get(connectionId, { signal }),
  });

/** The tools that a connection offers now. */
export const connectionToolsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['connections', 'tools', connectionId],
    staleTime: 30_000,
    queryFn: ({ signal }) => holdfast.connections.tools(connectionId, { signal }),
  });
