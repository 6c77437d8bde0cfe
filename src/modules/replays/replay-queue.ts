import { toReplayTaskQueue } from './replay-contract.ts';
import type { ActivityQueue } from '../../platform/temporal/worker-options.ts';

/** The queue of replays of batches of turns. Few chunks run at once, since each is at work all the time. */
export const replayQueue: ActivityQueue = {
  toName: toReplayTaskQueue,
  role: 'replays',
  options: { maxHeartbeatThrottleInterval: 2_000, maxConcurrentActivityTaskExecutions: 8 },
};
