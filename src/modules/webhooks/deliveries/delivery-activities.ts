import { attemptDelivery, type AttemptDependencies } from './attempt-delivery.ts';
import type { DeliverySteps } from './delivery-contract.ts';
import { toActivityFailure } from '../../../platform/activity/failures.ts';

/** Builds the activities of the workflow that delivers a message to a webhook. */
export function createDeliveryActivities(dependencies: AttemptDependencies): DeliverySteps {
  return {
    attemptDelivery: async (delivery) => {
      try {
        return await attemptDelivery(dependencies, delivery);
      } catch (error) {
        throw toActivityFailure(error);
      }
    },
  };
}
