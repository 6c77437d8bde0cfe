import type { SweepCounts } from '../../workflows/contract/sweep-steps.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../sweep/sweep-rows.ts';

/** How long nothing may happen to a swarm until its workflow is started or woken, in milliseconds. */
const silentMs = 20_000;

/** Wakes the workflows of swarms in which nothing has happened for a while, and starts those that are not there. */
export function sweepSwarms(
  { swarms: { sweep, dependencies } }: Pick<ActivityDependencies, 'swarms'>,
  run: SweepRun,
): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => sweep.takeSilent({ graceMs: silentMs, limit: sweepGroupSize }),
      toId: ({ swarmId }) => swarmId,
      sweepRow: dependencies.startSwarm,
      markSwept: sweep.markSwept,
    },
    run,
  );
}
