import { createSwarmRepository } from '../db/swarms/swarm-repository.ts';
import { toSwarm } from '../db/swarms/swarm-rows.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Swarm, SwarmStatus } from '../domain/swarm.ts';
import type { SwarmPlace } from '../../workflows/contract/swarm-steps.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { wakeSwarm } from './wake-swarm.ts';

/** The commands for a swarm that goes on. */
export type SwarmCommand = 'pause' | 'resume';

const after: Record<SwarmCommand, SwarmStatus> = { pause: 'paused', resume: 'running' };

/**
 * Pauses or resumes a swarm. Turns that run go on; none begins while it is paused, and its time runs on. The same command
 * again changes nothing.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when the swarm ends or has ended
 */
export async function controlSwarm(
  dependencies: Pick<SwarmDependencies, 'database' | 'startSwarm' | 'logger'>,
  place: SwarmPlace,
  command: SwarmCommand,
): Promise<Swarm> {
  const { workspaceId, swarmId } = place;
  const [changed, current] = await dependencies.database.pipelined(workspaceId, (query) => {
    const swarms = createSwarmRepository(query);
    return Promise.all([
      swarms.setStatus({ swarmId, from: ['running', 'paused'], to: after[command] }),
      swarms.getSwarm(swarmId),
    ]);
  });
  if (!changed)
    throw new HoldfastError(
      'CONFLICT',
      `The swarm is ${current.status}, so it cannot be told to ${command}.`,
    );
  await wakeSwarm(dependencies, place);
  return toSwarm(changed);
}
