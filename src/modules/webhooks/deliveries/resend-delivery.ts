import { createDeliveryRepository } from './delivery-repository.ts';
import { createWebhookRepository } from '../webhook-repository.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import type { DeliveryDetails } from '../../../domain/webhook.ts';
import type { WebhookDependencies } from '../webhook-dependencies.ts';

/** The dependencies of a resend; a start that fails is logged. */
interface ResendDependencies extends Pick<WebhookDependencies, 'database' | 'startDelivery'> {
  logger: { warn: (fields: object, message: string) => void };
}

/**
 * Sends a message once more, under the same `webhook-id`. A delivery that has ended gets one attempt, one that waits gets
 * its next attempt now.
 * @throws HoldfastError `NOT_FOUND`, also for a message about what the actor does not see; `CONFLICT` when the webhook is disabled
 */
export async function resendDelivery(
  { database, startDelivery, logger }: ResendDependencies,
  actor: Viewer,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<DeliveryDetails> {
  const { workspaceId } = actor;
  const delivery = await database.inWorkspace(toRowScope(actor), async (trx) => {
    const { enabled } = await createWebhookRepository(trx).getWebhook(id);
    const deliveries = createDeliveryRepository(trx);
    await deliveries.getDelivery(id, deliveryId);
    if (!enabled) throw isDisabled(id);
    await deliveries.resend(deliveryId);
    return deliveries.getDelivery(id, deliveryId);
  });
  // The stored id, which is in lower case: a caller may write it in capitals, and workflows have it in their names.
  await startDelivery({ workspaceId, deliveryId: delivery.id }).catch((error: unknown) =>
    logger.warn({ err: error, deliveryId }, 'the message is due, but not sent; the sweeper will send it'),
  );
  return delivery;
}

function isDisabled(id: string): HoldfastError {
  return new HoldfastError('CONFLICT', `Webhook ${id} is disabled. Enable it first.`);
}
