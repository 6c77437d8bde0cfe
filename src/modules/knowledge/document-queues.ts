import { toDocumentTaskQueue, toReadingTaskQueue } from './document-contract.ts';
import type { ActivityQueue } from '../../platform/temporal/worker-options.ts';

/** How many documents one worker reads at the same time, each in its own thread. */
export const documentsReadAtOnce = 2;

const maxHeartbeatThrottleInterval = 2_000;

/**
 * The queue for embedding and finishing documents. Few activities run at once, since each holds a batch of chunks in memory.
 * The others wait in Temporal, which serves workspaces in rotation, and do not delay the steps of turns.
 */
export const documentQueue: ActivityQueue = {
  toName: toDocumentTaskQueue,
  options: { maxHeartbeatThrottleInterval, maxConcurrentActivityTaskExecutions: 8 },
};

/** The queue for reading documents. Its worker has as many slots as threads, so that no document waits in one. */
export const readingQueue: ActivityQueue = {
  toName: toReadingTaskQueue,
  options: { maxHeartbeatThrottleInterval, maxConcurrentActivityTaskExecutions: documentsReadAtOnce },
};
