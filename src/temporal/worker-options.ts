import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';

/** How long a stopping worker lets running steps finish, in milliseconds. */
const shutdownGraceTime = 8_000;

/** Where the workflows are, as source or as built by `tsc`. */
export const workflowsPath = fileURLToPath(
  new URL(`../../workflows/index.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** Bundles the workflows once for a worker; the SDK's own module is loaded once for all workflows. */
export function bundleWorkflows({ payloadConverterPath, failureConverterPath }: DataConverter) {
  return bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    preloadModules: ['@temporalio/workflow'],
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  });
}

/** What every worker of turns runs with. */
export const turnWorkerOptions = {
  reuseV8Context: true,
  workflowThreadPoolSize: 1,
  // A sticky worker that died is given up after this long, so that another one takes its turns over.
  stickyQueueScheduleToStartTimeout: 1_000,
  shutdownGraceTime,
  // Without this the SDK holds heartbeats back until four fifths of their timeout have passed.
  maxHeartbeatThrottleInterval: 2_000,
  maxConcurrentActivityTaskExecutions: 100,
  maxConcurrentLocalActivityExecutions: 100,
} satisfies Partial<WorkerOptions>;

/**
 * What every worker of documents runs with: few steps at once, since each holds a document or a batch of it. The rest
 * waits at Temporal, where workspaces take turns and no step of a turn is in the way.
 */
export const documentWorkerOptions = {
  shutdownGraceTime,
  maxHeartbeatThrottleInterval: 2_000,
  maxConcurrentActivityTaskExecutions: 8,
} satisfies Partial<WorkerOptions>;
