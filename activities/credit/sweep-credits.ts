import type { ActivityDependencies } from '../activity-dependencies.ts';

/** How old a reservation is before it is looked at, in milliseconds: longer than a turn takes to be stored. */
const graceMs = 60_000;
const workspacesPerSweep = 200;

/** Gives back reservations whose turn or replay is over, and adds to budgets what was settled since their last look. */
export async function sweepCredits({
  creditSweep,
  pipelined,
  logger,
}: Pick<ActivityDependencies, 'creditSweep' | 'pipelined' | 'logger'>): Promise<void> {
  await creditSweep.releaseLeft(graceMs);
  for (const workspaceId of await creditSweep.listUncounted(workspacesPerSweep)) {
    await pipelined(workspaceId, ({ credits }) => credits.countSettled()).catch((error: unknown) =>
      logger.error({ err: error, workspaceId }, 'the credits of a workspace could not be counted'),
    );
  }
}
