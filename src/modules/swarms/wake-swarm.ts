import type { SwarmRef } from './swarm-contract.ts';
import { isTemporalOutage } from '../../platform/lib/temporal-outage.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';

/** Starts or wakes the workflow of a stored swarm. When that fails the sweeper does it later. */
export async function wakeSwarm(
  { startSwarm, logger }: Pick<SwarmDependencies, 'startSwarm' | 'logger'>,
  swarm: SwarmRef,
): Promise<void> {
  try {
    await startSwarm(swarm);
  } catch (error) {
    logger[isTemporalOutage(error) ? 'debug' : 'warn'](
      { err: error, swarmId: swarm.swarmId },
      'the swarm is stored, but its workflow was not told; the sweeper will do so',
    );
  }
}
