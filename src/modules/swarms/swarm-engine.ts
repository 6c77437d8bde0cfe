import type { Client } from '@temporalio/client';
import { createWorkStart } from '../../platform/work/work-start.ts';
import { swarmSignal, toSwarmWorkflowId, type SwarmRef } from './swarm-contract.ts';
import type { swarm } from './swarm-workflow.ts';

/** The time after which a workflow task of a dead worker is given to another one, in milliseconds. */
const workflowTaskTimeout = 5_000;

/** Starts the workflows of swarms, and wakes those that run when their stored state has changed. */
export function createSwarmEngine(parts: { client: Client; taskQueue: string }) {
  const start = createWorkStart<typeof swarm>(parts, {
    ...{ workflow: 'swarm', toWorkflowId: toSwarmWorkflowId, signal: swarmSignal },
  });
  return {
    startSwarm: ({ workspaceId, swarmId }: SwarmRef) =>
      start({ workspaceId, swarmId }, { workflowTaskTimeout }),
  };
}
