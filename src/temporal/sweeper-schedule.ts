import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

interface SweeperScheduleOptions {
  client: Client;
  taskQueue: string;
  intervalMs: number;
}

/** Makes sure that the sweeper runs at its interval, once for all workers of a task queue. */
export async function ensureSweeperSchedule({
  client,
  taskQueue,
  intervalMs,
}: SweeperScheduleOptions): Promise<void> {
  const scheduleId = `holdfast-sweeper-${taskQueue}`;
  const options = {
    spec: { intervals: [{ every: intervalMs }] },
    action: {
      type: 'startWorkflow' as const,
      workflowType: 'turnSweep',
      workflowId: scheduleId,
      taskQueue,
      workflowRunTimeout: 60_000,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
  };
  try {
    await client.schedule.create({ scheduleId, ...options });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update((previous) => ({ ...previous, ...options }));
  }
}
