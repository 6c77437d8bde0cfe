import { toWebhookTaskQueue } from './delivery-contract.ts';
import type { ActivityQueue } from '../../../platform/temporal/worker-options.ts';

/** The queue of deliveries to webhooks: most of the time of a delivery is spent waiting for an answer. */
export const deliveryQueue: ActivityQueue = {
  toName: toWebhookTaskQueue,
  options: { maxConcurrentActivityTaskExecutions: 50 },
};
