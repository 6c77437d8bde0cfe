import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { CreditSweepRepository } from './credit-sweep-repository.ts';
import { sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

/** The least age of a reservation that is released, in milliseconds: longer than a turn takes to be stored. */
const graceMs = 60_000;
const workspacesPerSweep = 200;
const sharesPerSweep = 5_000;

interface CreditSweepParts {
  sweep: CreditSweepRepository;
  /** Adds the newly settled calls of a workspace to its budgets. */
  countSettled: (workspaceId: string) => Promise<unknown>;
}

/**
 * Releases reservations whose turn or replay has ended, adds newly settled calls to budgets, and removes what budgets for each
 * have counted in earlier periods.
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
