import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { Stuck } from '../../domain/stuck-workflow.ts';
import type { TurnSweepInput } from '../../contract/turn-steps.ts';
import { findTaskFailure } from './stuck-engine.ts';

/** How long one workflow of the sweeper runs, in milliseconds. */
const durationMs = 10 * 60_000;

/** The names of the schedules, by the workflow that each keeps running. */
const scheduleNames = { turnSweep: 'holdfast-sweeper', recordRemoval: 'holdfast-removal' };

/** The task queue of a sweeper, and the time between two sweeps in milliseconds. */
export interface SweeperScheduleOptions {
  client: Client;
  taskQueue: string;
  /** The sweeper of turns, or the one that removes rows. @default turnSweep */
  workflowType?: keyof typeof scheduleNames;
  intervalMs: number;
}

/** Creates or updates the schedule of a sweeper, one for all workers of a task queue, and starts a sweep. */
export async function ensureSweeperSchedule(options: SweeperScheduleOptions): Promise<void> {
  const { client } = options;
  const schedule = toSchedule(options);
  const handle = client.schedule.getHandle(schedule.scheduleId);
  try {
    await client.schedule.create(schedule);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await handle.update((previous) => ({ ...previous, ...schedule }));
  }
  // Starts a sweep now instead of at the next interval. Temporal skips it when one runs.
  await handle.trigger(ScheduleOverlapPolicy.SKIP);
}

/**
 * Starts the sweeper's workflow when none runs: it may have been ended from outside, and a Temporal server that lost its
 * database lost the schedule too. Returns the failure of the task that the workflow cannot complete, and null when there is
 * none.
 */
export async function reviveSweeper(options: SweeperScheduleOptions): Promise<Stuck | null> {
  const handle = options.client.schedule.getHandle(toSchedule(options).scheduleId);
  try {
    const { info } = await handle.describe();
    const [running] = info.runningActions;
    if (running) return await findTaskFailure(options.client, running.workflow.workflowId);
    await handle.trigger(ScheduleOverlapPolicy.SKIP);
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await ensureSweeperSchedule(options);
  }
  return null;
}

function toSchedule({ taskQueue, intervalMs, workflowType = 'turnSweep' }: SweeperScheduleOptions) {
  const scheduleId = `${scheduleNames[workflowType]}-${taskQueue}`;
  return {
    scheduleId,
    spec: { intervals: [{ every: durationMs }] },
    action: {
      type: 'startWorkflow' as const,
      workflowType,
      args: [{ intervalMs, durationMs }] satisfies [TurnSweepInput],
      workflowId: scheduleId,
      taskQueue,
      workflowRunTimeout: durationMs + 5 * 60_000,
    },
    // A workflow that waits for its last sweeps ends late; the next one then follows it without a gap.
    policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: '1 minute' as const },
  };
}
