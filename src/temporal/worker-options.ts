import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, type WorkerOptions } from '@temporalio/worker';
import { documentsReadAtOnce } from '../../workflows/contract/document-steps.ts';

/** How long a stopping worker lets running steps finish, in milliseconds. */
const shutdownGraceTime = 8_000;

/** The path of the workflows, as source or as built by `tsc`. */
const workflowsPath = fileURLToPath(
  new URL(`../../workflows/index.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);

/** Bundles the workflows for a worker. All workflows share one copy of the SDK's own module. */
export function bundleWorkflows({ payloadConverterPath, failureConverterPath }: DataConverter) {
  return bundleWorkflowCode({
    workflowsPath,
    logger: new DefaultLogger('WARN'),
    preloadModules: ['@temporalio/workflow'],
    // Webpack keeps what it compiled in `node_modules/.cache/webpack`, so that later starts take half the time.
    webpackConfigHook: (configuration) => ({ ...configuration, cache: { type: 'filesystem' } }),
    ...(payloadConverterPath === undefined ? {} : { payloadConverterPath }),
    ...(failureConverterPath === undefined ? {} : { failureConverterPath }),
  });
}

/** The options of every worker of turns. */
export const turnWorkerOptions = {
  reuseV8Context: true,
  workflowThreadPoolSize: 1,
  // After this time another worker takes over the turns of a worker that died.
  stickyQueueScheduleToStartTimeout: 1_000,
  shutdownGraceTime,
  // Without this the SDK holds heartbeats back until four fifths of their timeout have passed.
  maxHeartbeatThrottleInterval: 2_000,
  maxConcurrentActivityTaskExecutions: 100,
  maxConcurrentLocalActivityExecutions: 100,
} satisfies Partial<WorkerOptions>;

/**
 * The options of every worker that embeds and finishes documents. Few activities run at once, since each holds a batch of
 * chunks in memory. The others wait in Temporal, which serves workspaces in rotation, and do not delay the steps of turns.
 */
export const documentWorkerOptions = {
  shutdownGraceTime,
  maxHeartbeatThrottleInterval: 2_000,
  maxConcurrentActivityTaskExecutions: 8,
} satisfies Partial<WorkerOptions>;

/** The options of every worker that reads documents. It has as many slots as threads, so that no document waits in one. */
export const readingWorkerOptions = {
  ...documentWorkerOptions,
  maxConcurrentActivityTaskExecutions: documentsReadAtOnce,
} satisfies Partial<WorkerOptions>;
