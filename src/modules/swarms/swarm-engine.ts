import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { swarmSignal, toSwarmWorkflowId, type SwarmRef } from './swarm-contract.ts';
import { searchAttributeNames } from '../../contract/search-attributes.ts';
import type { swarm } from './swarm-workflow.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweeper starts the stored swarm later. */
const startDeadlineMs = 5_000;

/** The time after which a workflow task of a dead worker is given to another one, in milliseconds. */
const workflowTaskTimeout = 5_000;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');

/** Starts the workflows of swarms, and wakes them when their stored state has changed. */
export interface SwarmEngine {
  /** Starts the workflow of a swarm, or wakes the one that runs. */
  startSwarm: (swarm: SwarmRef) => Promise<void>;
}

/** Starts and wakes workflows of swarms on a task queue. */
export function createSwarmEngine({ client, taskQueue }: { client: Client; taskQueue: string }): SwarmEngine {
  return {
    startSwarm: async ({ workspaceId, swarmId }) => {
      await client.withDeadline(Date.now() + startDeadlineMs, () =>
        client.workflow.signalWithStart<typeof swarm>('swarm', {
          taskQueue,
          args: [{ workspaceId, swarmId }],
          signal: swarmSignal,
          workflowId: toSwarmWorkflowId({ swarmId }),
          workflowTaskTimeout,
          priority: { fairnessKey: workspaceId },
          typedSearchAttributes: new TypedSearchAttributes([{ key: workspaceKey, value: workspaceId }]),
        }),
      );
    },
  };
}
