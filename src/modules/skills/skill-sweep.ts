import { sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';
import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { createSkillRemovalRepository } from './skill-removal-repository.ts';

/** How long the versions of a deleted skill can be read by turns, in days. */
const keptDays = 30;

const skillsPerSweep = 20;

/** Removes skills that were deleted 30 days ago, one version in a transaction. */
export function sweepDeletedSkills(
  removal: ReturnType<typeof createSkillRemovalRepository>,
  run: SweepRun,
): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => removal.listRemovable(keptDays, skillsPerSweep),
      toId: ({ id }) => id,
      sweepRow: async ({ id }) => {
        let isLeft = true;
        while (isLeft && !run.isStopped()) isLeft = await removal.removePart(id);
      },
    },
    run,
  );
}
