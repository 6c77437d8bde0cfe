import { createSwarmRepository } from './swarm-repository.ts';
import { toSwarm } from './swarm-rows.ts';
import type { Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { Swarm, SwarmStatus } from '../../domain/swarm.ts';
import type { SwarmRef } from './swarm-contract.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import { checkPerson } from '../workspaces/stored-work.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { wakeSwarm } from './wake-swarm.ts';

/** The commands for a swarm that has not ended. */
export type SwarmCommand = 'pause' | 'resume';

const after: Record<SwarmCommand, SwarmStatus> = { pause: 'paused', resume: 'running' };

/**
 * Pauses or resumes a swarm. Turns that run continue; none begins while it is paused, and its time runs on. The same command
 * again changes nothing. `actor` gives it through the API; programs that come through Temporal are not checked.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a key of another person; `CONFLICT` when the swarm ends or has ended
 */
export async function controlSwarm(
  dependencies: Pick<SwarmDependencies, 'database' | 'startSwarm' | 'logger'>,
  { actor, ...ref }: SwarmRef & { actor?: Actor },
  command: SwarmCommand,
): Promise<Swarm> {
  const { workspaceId, swarmId } = ref;
  if (actor && actor.actsFor !== null) await checkStarter(dependencies, ref, actor);
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
  await wakeSwarm(dependencies, ref);
  return toSwarm(changed);
}

/** The starter of a swarm never changes, so that it is read before. */
async function checkStarter(
  { database }: Pick<SwarmDependencies, 'database'>,
  { workspaceId, swarmId }: SwarmRef,
  actor: Actor,
): Promise<void> {
  await requireSeen(database, actor, { kind: 'swarm', id: swarmId });
  const { started_by: startedBy } = await database.pipelined(workspaceId, (query) =>
    createSwarmRepository(query).getSwarm(swarmId),
  );
  checkPerson(actor, { kind: 'swarm', person: startedBy?.actingFor ?? null });
}
