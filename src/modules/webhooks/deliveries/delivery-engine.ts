import type { Client } from '@temporalio/client';
import { createWorkStart } from '../../../platform/work/work-start.ts';
import { deliverySignal, toDeliveryWorkflowId } from './delivery-contract.ts';
import type { webhookDelivery } from './delivery-workflow.ts';

/** Starts the workflows that deliver messages to webhooks, and wakes those that wait for their next attempt. */
export function createDeliveryEngine(parts: { client: Client; taskQueue: string }) {
  return {
    startDelivery: createWorkStart<typeof webhookDelivery>(parts, {
      ...{ workflow: 'webhookDelivery', toWorkflowId: toDeliveryWorkflowId, signal: deliverySignal },
      priorityKey: 4,
    }),
  };
}
