import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { toDocumentTaskQueue, toReadingTaskQueue, type DocumentSteps } from './document-contract.ts';
import { longRetryPauses, retryPauses } from '../../contract/retry-limits.ts';
import { batchHeartbeatTimeoutMs } from '../../contract/step-options.ts';

/**
 * The steps of one document, on two separate task queues. Finishing goes before embedding, which waits for a model:
 * the fairness key orders workspaces, not the steps of one workspace.
 */
export function createDocumentSteps() {
  const { taskQueue } = workflowInfo();
  const options = { taskQueue: toDocumentTaskQueue(taskQueue), heartbeatTimeout: batchHeartbeatTimeoutMs };
  // The reader has its own time limit.
  const { readDocument } = proxyActivities<DocumentSteps>({
    ...options,
    taskQueue: toReadingTaskQueue(taskQueue),
    startToCloseTimeout: 5 * 60_000,
    retry: { ...retryPauses, maximumAttempts: 4 },
  });
  // Retries continue for long while the model is busy or unreachable, since no user waits for the result.
  const { embedChunks } = proxyActivities<DocumentSteps>({
    ...options,
    startToCloseTimeout: 120_000,
    retry: { ...longRetryPauses, maximumAttempts: 10 },
  });
  // Deleting the earlier chunks takes longer the more there are.
  const { finishDocument, failDocument } = proxyActivities<DocumentSteps>({
    ...options,
    priority: { priorityKey: 1 },
    startToCloseTimeout: 120_000,
    retry: { ...retryPauses, maximumAttempts: 20 },
  });
  return { readDocument, embedChunks, finishDocument, failDocument };
}
