import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeNames } from '../../../contract/search-attributes.ts';
import { deliverySignal, toDeliveryWorkflowId, type DeliveryRef } from './delivery-contract.ts';
import type { webhookDelivery } from './delivery-workflow.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweeper starts the stored delivery later. */
const startDeadlineMs = 5_000;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');

/** Starts the workflows that deliver messages to webhooks. */
export interface DeliveryEngine {
  /** Starts the workflow of a delivery, or wakes the one that waits for its next attempt. */
  startDelivery: (delivery: DeliveryRef) => Promise<void>;
}

/** Starts and wakes workflows of deliveries on a task queue. */
export function createDeliveryEngine({
  client,
  taskQueue,
}: {
  client: Client;
  taskQueue: string;
}): DeliveryEngine {
  return {
    startDelivery: async (delivery) => {
      const { workspaceId } = delivery;
      await client.withDeadline(Date.now() + startDeadlineMs, () =>
        client.workflow.signalWithStart<typeof webhookDelivery>('webhookDelivery', {
          taskQueue,
          args: [delivery],
          signal: deliverySignal,
          workflowId: toDeliveryWorkflowId(delivery),
          // The workflow tasks share a queue with those of turns, whose users wait: turns have the default key, 3.
          priority: { fairnessKey: workspaceId, priorityKey: 4 },
          typedSearchAttributes: new TypedSearchAttributes([{ key: workspaceKey, value: workspaceId }]),
        }),
      );
    },
  };
}
