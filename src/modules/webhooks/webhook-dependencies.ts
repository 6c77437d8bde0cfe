import type { Database } from '../../platform/database/connect-database.ts';
import type { KeyRing } from '../../platform/secrets/key-ring.ts';
import type { DeliveryRef } from './deliveries/delivery-contract.ts';

/** Everything that the use cases of webhooks need from outside. */
export interface WebhookDependencies {
  database: Pick<Database, 'inWorkspace'>;
  keyRing: Pick<KeyRing, 'seal' | 'open'>;
  /** Starts the workflow of a delivery, or wakes the one that waits for its next attempt. */
  startDelivery: (delivery: DeliveryRef) => Promise<void>;
}
