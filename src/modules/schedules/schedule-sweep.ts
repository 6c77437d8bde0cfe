import type { ScheduleSweepRepository, ScheduleToCheck } from './schedule-sweep-repository.ts';
import type { ScheduleEngine } from './schedule-dependencies.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

/** How often the copy of a schedule is checked, in milliseconds. */
const checkedEveryMs = 60_000;
const runsPerSweep = 1_000;

interface ScheduleSweepParts {
  sweep: ScheduleSweepRepository;
  schedules: Pick<ScheduleEngine, 'deleteSchedule' | 'hasSchedule'>;
  /** Gives Temporal a copy of a schedule. */
  copySchedule: (workspaceId: string, id: string) => Promise<void>;
}

/** Makes the copies of schedules that Temporal does not have: it was unreachable, or has lost them. Deletes those of deleted ones. */
export async function sweepSchedules(parts: ScheduleSweepParts, run: SweepRun): Promise<SweepCounts> {
  const { sweep } = parts;
  const counts = await sweepRows(
    {
      take: () => sweep.takeUnchecked({ graceMs: checkedEveryMs, limit: sweepGroupSize }),
      toId: ({ schedule }) => schedule.id,
      sweepRow: (each) => check(parts, each),
      markSwept: sweep.markChecked,
    },
    run,
  );
  await sweep.removeOldRuns(runsPerSweep);
  return counts;
}

async function check(
  { schedules, sweep, copySchedule }: ScheduleSweepParts,
  { workspaceId, schedule, isDeleted, isCopied }: ScheduleToCheck,
): Promise<void> {
  if (isDeleted) {
    await schedules.deleteSchedule(schedule.id);
    await sweep.removeSchedule(schedule.id);
  } else if (!isCopied || !(await schedules.hasSchedule(schedule.id))) {
    await copySchedule(workspaceId, schedule.id);
  }
}
