import type { Logger } from 'pino';
import { isTemporalOutage } from '../../../platform/lib/temporal-outage.ts';
import type { DeliveryRef } from './delivery-contract.ts';
import type { WebhookDependencies } from '../webhook-dependencies.ts';

type StartDelivery = WebhookDependencies['startDelivery'];

/** Starts deliveries for a program whose connection to Temporal is opened later than its database. */
export interface DeliveryStarter {
  /** Starts the workflows of stored deliveries, without waiting. A delivery that is not started is started by the sweeper. */
  start: (deliveries: DeliveryRef[]) => void;
  /** Sets how they are started; until then they are left to the sweeper. */
  startWith: (startDelivery: StartDelivery) => void;
}

/** Creates the starter of one program. */
export function createDeliveryStarter(logger: Pick<Logger, 'warn' | 'debug'>): DeliveryStarter {
  let startDelivery: StartDelivery | undefined;
  const startOne = async (delivery: DeliveryRef) => {
    try {
      await startDelivery?.(delivery);
    } catch (error) {
      // An outage is one line of the log already, however many deliveries wait for its end.
      const level = isTemporalOutage(error) ? 'debug' : 'warn';
      const { deliveryId } = delivery;
      logger[level](
        { err: error, deliveryId },
        'the delivery is stored, but not started; the sweeper will start it',
      );
    }
  };
  return {
    start: (deliveries) => deliveries.forEach((delivery) => void startOne(delivery)),
    startWith: (start) => {
      startDelivery = start;
    },
  };
}
