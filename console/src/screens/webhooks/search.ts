import type { WebhookDelivery } from '../../api/types.ts';

/** The views of one webhook. */
export const webhookViews = ['deliveries', 'settings'] as const;

/** The states of deliveries, in the words of the API. */
export const deliveryStatuses: readonly WebhookDelivery['status'][] = [
  'pending',
  'delivered',
  'failed',
  'cancelled',
];

/** What is shown of one webhook. */
export interface WebhookSearch {
  view: (typeof webhookViews)[number];
  status?: WebhookDelivery['status'];
  /** The id of the chosen delivery. */
  delivery?: string;
}

/** Reads what is shown of one webhook from an address. */
export function parseWebhookSearch(given: Record<string, unknown>): WebhookSearch & Record<string, unknown> {
  const status = deliveryStatuses.find((one) => one === given['status']);
  const delivery = given['delivery'];
  return {
    view: webhookViews.find((view) => view === given['view']) ?? 'deliveries',
    ...(status === undefined ? {} : { status }),
    ...(typeof delivery === 'string' && delivery !== '' ? { delivery } : {}),
  };
}
