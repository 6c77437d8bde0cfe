import { condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { DeliveryPlace, DeliveryResult, DeliveryStep } from './contract/webhook-steps.ts';
import { createWebhookSteps } from './activities.ts';
import { deliveryWoken } from './messages.ts';

/**
 * Delivers one message to one webhook: attempts it until it arrives or its schedule is over. The state of the delivery is
 * in the database, so a workflow that was lost is replaced by another one, and a signal only wakes it earlier.
 */
export async function webhookDelivery(delivery: DeliveryPlace): Promise<DeliveryResult> {
  const { attemptDelivery } = createWebhookSteps();
  let signals = 0;
  setHandler(deliveryWoken, () => {
    signals += 1;
  });
  for (;;) {
    const before = signals;
    const { waitMs, ...result } = await attemptDelivery(delivery);
    setCurrentDetails(toDetails(result, waitMs));
    if (waitMs !== null) await condition(() => signals > before, waitMs);
    else if (signals === before) return result;
  }
}

function toDetails({ status, attempts, lastAnswer }: DeliveryResult, waitMs: DeliveryStep['waitMs']): string {
  const answer = lastAnswer === null ? '' : `, the last answer: ${lastAnswer}`;
  const next = waitMs === null ? '' : `; the next one in ${Math.ceil(waitMs / 1000)} s`;
  return `${status} after ${attempts} attempts${answer}${next}`;
}
