import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import { collect, toPageRequest } from '../../api/pages.ts';
import type { WebhookDelivery } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';

/** The webhooks of the workspace, newest first. */
export const webhooksQuery = infiniteQueryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ pageParam, signal }) => holdfast.webhooks.list(toPageRequest(pageParam), { signal }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

/** One webhook. */
export const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', webhookId],
    queryFn: ({ signal }) => holdfast.webhooks.get(webhookId, { signal }),
  });

/** The deliveries of a webhook, newest first. */
export const deliveriesQuery = (webhookId: string, status: WebhookDelivery['status'] | undefined) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', webhookId, status ?? ''],
    queryFn: ({ pageParam, signal }) =>
      holdfast.webhooks.deliveries.list(webhookId, { ...toPageRequest(pageParam), status }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/** One delivery with its attempts. */
export const deliveryQuery = (webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', webhookId, deliveryId],
    queryFn: ({ signal }) => holdfast.webhooks.deliveries.get(webhookId, deliveryId, { signal }),
  });

const slackConnectionsQuery = queryOptions({
  queryKey: ['connections', 'slack-names'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, string>> => {
    const connections = await collect((page) =>
      holdfast.connections.list({ ...page, provider: 'slack' }, { signal }),
    );
    return new Map(connections.map(({ id, name }) => [id, name]));
  },
});

/** The names of the connections to Slack; undefined for who may not read connections. */
export function useSlackConnections(): ReadonlyMap<string, string> | undefined {
  return useQuery({ ...slackConnectionsQuery, enabled: useMay()('connections:read') }).data;
}
