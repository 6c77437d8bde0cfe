import type { SweepCounts } from '../../contract/sweep-steps.ts';
import type { SwarmSweepRepository } from './swarm-sweep-repository.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { sweepGroupSize, sweepRows, type SweepRun } from '../../platform/work/sweep-rows.ts';

/** How long nothing may happen to a swarm until its workflow is started or woken, in milliseconds. */
const silentMs = 20_000;

interface SwarmSweepParts extends Pick<SwarmDependencies, 'startSwarm'> {
  sweep: SwarmSweepRepository;
}

/** Wakes the workflows of swarms in which nothing has happened for a while, and starts those that are not there. */
export function sweepSwarms({ sweep, startSwarm }: SwarmSweepParts, run: SweepRun): Promise<SweepCounts> {
  return sweepRows(
    {
      take: () => sweep.takeSilent({ graceMs: silentMs, limit: sweepGroupSize }),
      toId: ({ swarmId }) => swarmId,
      sweepRow: startSwarm,
      markSwept: sweep.markSwept,
    },
    run,
  );
}
