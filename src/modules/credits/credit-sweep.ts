import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { CreditSweepRepository } from './credit-sweep-repository.ts';
import { sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

/** How old a reservation is before it is looked at, in milliseconds: longer than a turn takes to be stored. */
const graceMs = 60_000;
const workspacesPerSweep = 200;
const sharesPerSweep = 5_000;

interface CreditSweepParts {
  sweep: CreditSweepRepository;
  /** Adds to the budgets of a workspace what was settled since their last look. */
  countSettled: (workspaceId: string) => Promise<unknown>;
}

/**
 * Gives back reservations whose turn or replay is over, adds to budgets what was settled since their last look, and forgets
 * what budgets for each have counted in earlier periods.
 */
export async function sweepCredits(
  { sweep, countSettled }: CreditSweepParts,
  run: SweepRun,
): Promise<SweepCounts> {
  await sweep.releaseLeft(graceMs);
  await sweep.forgetShares(sharesPerSweep);
  return sweepRows(
    {
      take: () => sweep.listUncounted(workspacesPerSweep),
      toId: (workspaceId) => workspaceId,
      sweepRow: async (workspaceId) => {
        await countSettled(workspaceId);
      },
    },
    run,
  );
}
