import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { retryPauses as retry } from './contract/retry-limits.ts';

/**
 * The step of a swarm: a short transaction, which runs in the workflow task. It is tried again until the database answers.
 */
export const { advanceSwarm } = proxyLocalActivities<Pick<Activities, 'advanceSwarm'>>({
  startToCloseTimeout: 30_000,
  retry: { ...retry, maximumInterval: 10_000 },
});

/** A change that a person sends is tried for a minute, since the person waits. */
export const { changeSwarm } = proxyActivities<Pick<Activities, 'changeSwarm'>>({
  startToCloseTimeout: 30_000,
  scheduleToCloseTimeout: 60_000,
  retry,
});
