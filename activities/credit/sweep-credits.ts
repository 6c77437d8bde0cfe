import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepRows, type SweepRun } from '../sweep/sweep-rows.ts';

/** How old a reservation is before it is looked at, in milliseconds: longer than a turn takes to be stored. */
const graceMs = 60_000;
const workspacesPerSweep = 200;
const sharesPerSweep = 5_000;

/**
 * Gives back reservations whose turn or replay is over, adds to budgets what was settled since their last look, and forgets
 * what budgets for each have counted in earlier periods.
 */
export async function sweepCredits(
  { creditSweep, pipelined }: Pick<ActivityDependencies, 'creditSweep' | 'pipelined'>,
  run: SweepRun,
): Promise<SweepCounts> {
  await creditSweep.releaseLeft(graceMs);
  await creditSweep.forgetShares(sharesPerSweep);
  return sweepRows(
    {
      take: () => creditSweep.listUncounted(workspacesPerSweep),
      toId: (workspaceId) => workspaceId,
      sweepRow: (workspaceId) => pipelined(workspaceId, ({ credits }) => credits.countSettled()),
    },
    run,
  );
}
