import type { Client } from '@temporalio/client';
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { replaySignal, toReplayWorkflowId, type ReplayRef } from './replay-contract.ts';
import { searchAttributeNames } from '../../contract/search-attributes.ts';
import type { batchReplay } from './replay-workflow.ts';

/** The timeout of a start, in milliseconds. When a start fails, the sweeper starts the stored replay later. */
const startDeadlineMs = 5_000;

/** Turns have the default key, 3; replays are the last. */
const priorityKey = 5;

const workspaceKey = defineSearchAttributeKey(searchAttributeNames.workspace, 'KEYWORD');

/** Starts the workflows of replays, and wakes them when their stored status has changed. */
export interface ReplayEngine {
  /** Starts the workflow of a replay, or wakes the one that runs. */
  startReplay: (replay: ReplayRef) => Promise<void>;
}

/** Starts and wakes workflows of replays on a task queue. */
export function createReplayEngine({
  client,
  taskQueue,
}: {
  client: Client;
  taskQueue: string;
}): ReplayEngine {
  return {
    startReplay: async (replay) => {
      const { workspaceId } = replay;
      await client.withDeadline(Date.now() + startDeadlineMs, () =>
        client.workflow.signalWithStart<typeof batchReplay>('batchReplay', {
          taskQueue,
          args: [replay],
          signal: replaySignal,
          workflowId: toReplayWorkflowId(replay),
          priority: { fairnessKey: `replay-${workspaceId}`.slice(0, 64), priorityKey },
          typedSearchAttributes: new TypedSearchAttributes([{ key: workspaceKey, value: workspaceId }]),
        }),
      );
    },
  };
}
