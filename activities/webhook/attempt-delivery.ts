import { attemptDelivery } from '../../src/webhooks/attempt-delivery.ts';
import type { DeliveryPlace, DeliveryStep } from '../../workflows/contract/webhook-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { toActivityFailure } from '../failures.ts';

/** Attempts a delivery when it is due. A failed attempt is a result; only what cannot be stored is an error. */
export function createAttemptDelivery({ webhooks }: Pick<ActivityDependencies, 'webhooks'>) {
  return async (delivery: DeliveryPlace): Promise<DeliveryStep> => {
    try {
      return await attemptDelivery(webhooks.attempts, delivery);
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}
