import {
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { longRetryPauses } from '../../../contract/retry-limits.ts';
import {
  deliverySignal,
  toWebhookTaskQueue,
  type DeliveryRef,
  type DeliveryResult,
  type DeliveryStep,
  type DeliverySteps,
} from './delivery-contract.ts';

/** Wakes a delivery to a webhook that waits for its next attempt. */
const deliveryWoken = defineSignal(deliverySignal);

/** The step of a delivery to a webhook, on its own task queue. It has its own time limit for the request. */
function createDeliverySteps() {
  const { taskQueue } = workflowInfo();
  return proxyActivities<DeliverySteps>({
    taskQueue: toWebhookTaskQueue(taskQueue),
    startToCloseTimeout: 60_000,
    retry: longRetryPauses,
  });
}

/**
 * Delivers one message to one webhook: attempts it until it arrives or its schedule is over. The state of the delivery is
 * in the database, so a workflow that was lost is replaced by another one, and a signal only wakes it earlier.
 */
export async function webhookDelivery(delivery: DeliveryRef): Promise<DeliveryResult> {
  const { attemptDelivery } = createDeliverySteps();
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
