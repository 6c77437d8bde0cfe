import type { WorkerOptions } from '@temporalio/worker';

/** How long a stopping worker lets running steps finish, in milliseconds. */
export const shutdownGraceMs = 8_000;

/** How many tasks a worker runs in parallel. More wait in Temporal, which serves workspaces in rotation. */
export interface WorkerSlots {
  /** Workflow tasks, which take a moment each. */
  workflowTasks: number;
  /** Activities: each step of an `inspectable` turn takes one, and a `direct` turn that has a workflow takes one. */
  activities: number;
}

/** The options of every worker of turns. */
export const turnWorkerOptions = {
  reuseV8Context: true,
  workflowThreadPoolSize: 1,
  // After this time another worker takes over the turns of a worker that died.
  stickyQueueScheduleToStartTimeout: 1_000,
  shutdownGraceTime: shutdownGraceMs,
  // Without this the SDK holds heartbeats back until four fifths of their timeout have passed.
  maxHeartbeatThrottleInterval: 1_300,
  // A fixed number of pollers takes as many tasks in the time of an answer of Temporal, however many wait behind a slow link.
  workflowTaskPollerBehavior: { type: 'autoscaling' },
  activityTaskPollerBehavior: { type: 'autoscaling' },
} satisfies Partial<WorkerOptions>;

/** Returns the options that give a worker of turns its slots. */
export function toSlotOptions({ workflowTasks, activities }: WorkerSlots) {
  return {
    maxConcurrentWorkflowTaskExecutions: workflowTasks,
    maxConcurrentActivityTaskExecutions: activities,
  } satisfies Partial<WorkerOptions>;
}

/**
 * Returns the options of a worker of turns that has a version: the workflows of a task queue are one deployment, with its
 * name. Turns pin themselves to a version; all other workflows continue with the current one.
 */
export function toVersionOptions(
  buildId: string | undefined,
  taskQueue: string,
): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { buildId, deploymentName: taskQueue },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/** A task queue of activities that turns must not wait behind. */
export interface ActivityQueue {
  /** Returns the name of the queue, from that of the queue of turns. */
  toName: (taskQueue: string) => string;
  /** The role of the processes that serve it: replays may have separate processes. @default 'turns' */
  role?: 'turns' | 'replays';
  /** The options of its worker that differ from those of others. */
  options: Pick<WorkerOptions, 'maxHeartbeatThrottleInterval' | 'maxConcurrentActivityTaskExecutions'>;
}

/** Returns the options of the worker of a queue of activities, from the name of the queue of turns. */
export function toQueueOptions({ toName, options }: ActivityQueue, taskQueue: string) {
  return {
    shutdownGraceTime: shutdownGraceMs,
    ...options,
    taskQueue: toName(taskQueue),
  } satisfies WorkerOptions;
}
