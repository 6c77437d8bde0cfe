import { attemptDelivery } from '../../src/webhooks/attempt-delivery.ts';
import type { DeliverySteps } from '../../workflows/contract/webhook-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toActivityFailure } from '../failures.ts';

/** Builds the activities of the workflow that delivers a message to a webhook. */
export function createDeliveryActivities({
  webhooks,
}: Pick<ActivityDependencies, 'webhooks'>): DeliverySteps {
  return {
    attemptDelivery: async (delivery) => {
      try {
        return await attemptDelivery(webhooks.attempts, delivery);
      } catch (error) {
        throw toActivityFailure(error);
      }
    },
  };
}
