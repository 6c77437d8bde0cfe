import { createSwarmRepository } from '../db/swarms/swarm-repository.ts';
import { createSwarmTurnRepository } from '../db/swarms/swarm-turn-repository.ts';
import type { Query } from '../db/statement.ts';
import { hasEnded, type SwarmDetails, type SwarmEnd, type SwarmOutcome } from '../domain/swarm.ts';
import type { SwarmPlace } from '../../workflows/contract/swarm-steps.ts';
import { readDetails } from './read-swarm.ts';
import { requestStops, stopSwarmTurns } from './stop-swarm-turns.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { wakeSwarm } from './wake-swarm.ts';

/** The order to end a swarm, and who gives it. */
export interface SwarmEnding extends SwarmEnd {
  /** The status that the swarm gets. @default ended */
  endsAs?: SwarmOutcome;
  /** The turn that ends the swarm, which goes on to its answer. */
  byTurnId?: string;
}

/**
 * Ends a swarm and the swarms in it: nothing more begins, and with `force` all that runs is stopped. The swarm has its last
 * status as soon as no turn of it runs. A swarm that has ended stays as it is.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function endSwarm(
  dependencies: SwarmDependencies,
  place: SwarmPlace,
  ending: SwarmEnding,
): Promise<SwarmDetails> {
  const { workspaceId, swarmId } = place;
  const { swarm, stopping, inside } = await dependencies.database.transact(workspaceId, (query) =>
    beginEnd(query, swarmId, ending),
  );
  await stopSwarmTurns(dependencies, stopping);
  const reason = `The swarm above has ended: ${ending.reason}`.slice(0, 2_000);
  for (const id of inside)
    await endSwarm(
      dependencies,
      { workspaceId, swarmId: id },
      { mode: ending.mode, reason, endsAs: 'ended' },
    );
  await wakeSwarm(dependencies, place);
  return swarm;
}

async function beginEnd(
  query: Query,
  swarmId: string,
  { mode, reason, endsAs = 'ended', byTurnId }: SwarmEnding,
) {
  const swarms = createSwarmRepository(query);
  const before = await swarms.lockSwarm(swarmId);
  if (hasEnded(before.status)) return { swarm: await readDetails(query, before), stopping: [], inside: [] };
  const from = ['running', 'paused', 'ending'] as const;
  const row = await swarms.setStatus({ swarmId, from: [...from], to: 'ending', endsAs, reason });
  await swarms.recordAudit('swarm.ended', swarmId, { mode, reason });
  const open = mode === 'force' ? await createSwarmTurnRepository(query).listOpen(swarmId) : [];
  const turnIds = open.map(({ turnId }) => turnId).filter((id) => id !== byTurnId);
  return {
    swarm: await readDetails(query, row ?? before),
    stopping: await requestStops(query, turnIds),
    inside: await swarms.listInside(swarmId),
  };
}
