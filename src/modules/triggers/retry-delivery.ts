import { createTriggerDeliveryRepository } from './trigger-delivery-repository.ts';
import { createTriggerRepository } from './trigger-repository.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { TriggerDeliveryDetails } from './trigger.ts';
import { toRowScope } from '../../domain/row-scope.ts';
import { authorizeUse } from './change-trigger.ts';
import type { TriggerDependencies } from './trigger-dependencies.ts';

/**
 * Starts a delivery that has failed, or was ignored by the filter, with what its trigger does now.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN`; `CONFLICT` for one that has started something, and for one without a payload
 */
export async function retryDelivery(
  { database, startTriggered }: Pick<TriggerDependencies, 'database' | 'startTriggered'>,
  actor: Actor,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<TriggerDeliveryDetails> {
  const { workspaceId } = actor;
  const delivery = await database.inWorkspace(toRowScope(actor), async (trx) => {
    const trigger = await createTriggerRepository(trx).getTrigger(id);
    await authorizeUse(trx, actor, { trigger });
    const deliveries = createTriggerDeliveryRepository(trx);
    const found = await deliveries.getDelivery(trigger.id, deliveryId);
    const by = toActorRef(actor, undefined);
    if (!(await deliveries.acceptAgain(found.id, trigger.action, by))) throw cannotStart(found);
    return deliveries.getDelivery(trigger.id, found.id);
  });
  startTriggered({ workspaceId, deliveryId: delivery.id });
  return delivery;
}

function cannotStart({ status, payload }: TriggerDeliveryDetails): HoldfastError {
  const isOver = status === 'failed' || status === 'ignored';
  const message =
    isOver && payload === null
      ? 'The payload of this delivery is not kept, so that it cannot be started.'
      : `Expected a delivery that has failed or was ignored, found one that is ${status}.`;
  return new HoldfastError('CONFLICT', message);
}
