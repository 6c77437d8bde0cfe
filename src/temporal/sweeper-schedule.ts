import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TurnSweepInput } from '../../workflows/contract/turn-steps.ts';

/** How long one workflow of the sweeper runs, in milliseconds. */
const durationMs = 10 * 60_000;

/** The task queue of the sweeper, and the time between two sweeps in milliseconds. */
export interface SweeperScheduleOptions {
  client: Client;
  taskQueue: string;
  intervalMs: number;
}

/** Creates or updates the schedule of the sweeper, one for all workers of a task queue. */
export async function ensureSweeperSchedule({
  client,
  taskQueue,
  intervalMs,
}: SweeperScheduleOptions): Promise<void> {
  const scheduleId = `holdfast-sweeper-${taskQueue}`;
  const options = {
    spec: { intervals: [{ every: durationMs }] },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'turnSweep',
      args: [{ intervalMs, durationMs }] satisfies [TurnSweepInput],
      workflowId: scheduleId,
      taskQueue,
      workflowRunTimeout: durationMs + 60_000,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
  };
  const schedule = client.schedule.getHandle(scheduleId);
  try {
    await client.schedule.create({ scheduleId, ...options });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await schedule.update((previous) => ({ ...previous, ...options }));
  }
  // Starts a sweep now instead of at the next interval. Temporal skips it when one runs.
  await schedule.trigger(ScheduleOverlapPolicy.SKIP);
}
