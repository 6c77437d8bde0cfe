import type { Client } from '@temporalio/client';
import { createWorkStart } from '../../platform/work/work-start.ts';
import { replaySignal, toReplayWorkflowId } from './replay-contract.ts';
import type { batchReplay } from './replay-workflow.ts';

/** Starts the workflows of replays, and wakes those that run when their stored status has changed. */
export function createReplayEngine(parts: { client: Client; taskQueue: string }) {
  return {
    startReplay: createWorkStart<typeof batchReplay>(parts, {
      ...{ workflow: 'batchReplay', toWorkflowId: toReplayWorkflowId, signal: replaySignal },
      // Replays are the last.
      priorityKey: 5,
      toFairnessKey: ({ workspaceId }) => `replay-${workspaceId}`.slice(0, 64),
    }),
  };
}
