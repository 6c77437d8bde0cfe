import { attemptDelivery, type AttemptDependencies } from '../../src/webhooks/attempt-delivery.ts';
import type { DeliveryPlace, DeliveryStep } from '../../workflows/contract/webhook-steps.ts';
import { toActivityFailure } from '../failures.ts';

/** Attempts a delivery when it is due. A failed attempt is a result; only what cannot be stored is an error. */
export function createAttemptDelivery(dependencies: AttemptDependencies) {
  return async (delivery: DeliveryPlace): Promise<DeliveryStep> => {
    try {
      return await attemptDelivery(dependencies, delivery);
    } catch (error) {
      throw toActivityFailure(error);
    }
  };
}
