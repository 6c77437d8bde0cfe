import { createSwarmRepository } from './swarm-repository.ts';
import { createSwarmStateRepository } from './state/swarm-state-repository.ts';
import { createSwarmTurnRepository } from './turns/swarm-turn-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { Actor } from '../../domain/actor.ts';
import { hasEnded, type SwarmDetails, type SwarmEnd, type SwarmOutcome } from '../../domain/swarm.ts';
import type { SwarmRef } from './swarm-contract.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import { checkPerson } from '../workspaces/stored-work.ts';
import { createTooLate } from './state/conversation-state.ts';
import { readDetails } from './read-swarm.ts';
import { requestStops, stopSwarmTurns } from './turns/stop-swarm-turns.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { wakeSwarm } from './wake-swarm.ts';

/** The order to end a swarm, and who gives it. */
export interface SwarmEnding extends SwarmEnd {
  /** The actor who ends it through the API; agents of the swarm and programs that come through Temporal are not checked. */
  actor?: Actor;
  /** The status that the swarm gets. @default ended */
  endsAs?: SwarmOutcome;
  /** The call of a turn that ends the swarm; the turn continues until its answer. A call that comes too late is refused. */
  call?: { turnId: string; key: string };
}

/**
 * Ends a swarm and the swarms in it: nothing more begins, and with `force` all that runs is stopped. The swarm has its last
 * status as soon as no turn of it runs. A swarm that has ended stays as it is.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a key of another person; `CONVERSATION_STATE_NOT_FOUND` for a call when the swarm has ended before
 */
export async function endSwarm(
  dependencies: SwarmDependencies,
  ref: SwarmRef,
  ending: SwarmEnding,
): Promise<SwarmDetails> {
  const { workspaceId, swarmId } = ref;
  const { database } = dependencies;
  if (ending.actor) await requireSeen(database, ending.actor, { kind: 'swarm', id: swarmId });
  const { swarm, stopping, inside } = await database.transact(workspaceId, (query) =>
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
  await wakeSwarm(dependencies, ref);
  return swarm;
}

async function beginEnd(
  query: Query,
  swarmId: string,
  { mode, reason, endsAs = 'ended', call, actor }: SwarmEnding,
) {
  const swarms = createSwarmRepository(query);
  const before = await swarms.lockSwarm(swarmId);
  if (actor) checkPerson(actor, { kind: 'swarm', person: before.started_by?.actingFor ?? null });
  const isNew = call !== undefined && (await createSwarmStateRepository(query).noteUpdate(swarmId, call.key));
  if (hasEnded(before.status)) {
    if (isNew) throw createTooLate(before.status);
    return { swarm: await readDetails(query, before), stopping: [], inside: [] };
  }
  const from = ['running', 'paused', 'ending'] as const;
  const row = await swarms.setStatus({ swarmId, from: [...from], to: 'ending', endsAs, reason });
  await swarms.recordAudit('swarm.ended', swarmId, { mode, reason });
  const open = mode === 'force' ? await createSwarmTurnRepository(query).listOpen(swarmId) : [];
  const turnIds = open.map(({ turnId }) => turnId).filter((id) => id !== call?.turnId);
  return {
    swarm: await readDetails(query, row ?? before),
    stopping: await requestStops(query, turnIds),
    inside: await swarms.listInside(swarmId),
  };
}
