import type { ScheduleToCheck } from '../../src/db/schedules/schedule-sweep-repository.ts';
import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../sweep/sweep-rows.ts';

/** How often the copy of a schedule is looked for, in milliseconds. */
const checkedEveryMs = 60_000;
const runsPerSweep = 1_000;

/** Makes the copies of schedules that Temporal does not have: it was away, or has lost them. Deletes those of deleted ones. */
export async function sweepSchedules(
  { schedules }: Pick<ActivityDependencies, 'schedules'>,
  run: SweepRun,
): Promise<SweepCounts> {
  const { sweep } = schedules;
  const counts = await sweepRows(
    {
      take: () => sweep.takeUnchecked({ graceMs: checkedEveryMs, limit: sweepGroupSize }),
      toId: ({ schedule }) => schedule.id,
      sweepRow: (each) => check(schedules, each),
      markSwept: sweep.markChecked,
    },
    run,
  );
  await sweep.removeOldRuns(runsPerSweep);
  return counts;
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
