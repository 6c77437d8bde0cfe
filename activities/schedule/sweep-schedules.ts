import type { ScheduleToCheck } from '../../src/db/schedules/schedule-sweep-repository.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

/** How often the copy of a schedule is looked for, in milliseconds. */
const checkedEveryMs = 60_000;
const schedulesPerSweep = 50;
const runsPerSweep = 1_000;

/** Makes the copies of schedules that Temporal does not have: it was away, or has lost them. Deletes those of deleted ones. */
export async function sweepSchedules({
  schedules,
  logger,
}: Pick<ActivityDependencies, 'schedules' | 'logger'>): Promise<void> {
  const taken = await schedules.sweep.takeUnchecked({ graceMs: checkedEveryMs, limit: schedulesPerSweep });
  for (const each of taken) {
    await check(schedules, each).catch((error: unknown) =>
      logger.error({ err: error, scheduleId: each.schedule.id }, 'a schedule could not be swept'),
    );
  }
  await schedules.sweep.removeOldRuns(runsPerSweep);
}

async function check(
  { runs: { schedules: engine }, sweep, copySchedule }: ActivityDependencies['schedules'],
  { workspaceId, schedule, isDeleted, isCopied }: ScheduleToCheck,
): Promise<void> {
  if (isDeleted) {
    await engine.deleteSchedule(schedule.id);
    await sweep.removeSchedule(schedule.id);
  } else if (!isCopied || !(await engine.hasSchedule(schedule.id))) {
    await copySchedule(workspaceId, schedule.id);
  }
}
