import { wakeSwarm } from '../../src/swarms/wake-swarm.ts';
import type { ActivityDependencies } from '../activity-dependencies.ts';

/** How long nothing may happen to a swarm until its workflow is started or woken, in milliseconds. */
const silentMs = 60_000;
const swarmsPerSweep = 100;

/** Wakes the workflows of swarms in which nothing has happened for a while, and starts those that are not there. */
export async function sweepSwarms({
  swarms: { sweep, dependencies },
}: Pick<ActivityDependencies, 'swarms'>): Promise<void> {
  const silent = await sweep.takeSilent({ graceMs: silentMs, limit: swarmsPerSweep });
  for (const swarm of silent) await wakeSwarm(dependencies, swarm);
}
