import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { toReplayTaskQueue, type ReplaySteps } from './replay-contract.ts';
import { longRetryPauses } from '../../contract/retry-limits.ts';
import { batchHeartbeatTimeoutMs } from '../../contract/step-options.ts';

/** The time limit of one chunk of a replay, in milliseconds; a chunk ends long before. */
const chunkMs = 60 * 60_000;

/** The steps of a replay, on a separate task queue. They are retried for as long as the replay is not cancelled. */
export function createReplaySteps() {
  const { taskQueue } = workflowInfo();
  return proxyActivities<ReplaySteps>({
    taskQueue: toReplayTaskQueue(taskQueue),
    heartbeatTimeout: batchHeartbeatTimeoutMs,
    retry: longRetryPauses,
    startToCloseTimeout: chunkMs,
  });
}
