import { toWebhookTaskQueue } from '../../workflows/contract/webhook-steps.ts';
import type { ActivityQueue } from '../temporal/worker-options.ts';

/** The queue of deliveries to webhooks: most of the time of a delivery is spent waiting for an answer. */
export const deliveryQueue: ActivityQueue = {
  toName: toWebhookTaskQueue,
  options: { maxConcurrentActivityTaskExecutions: 50 },
};
