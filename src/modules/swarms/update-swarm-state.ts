import { createSwarmRepository } from './swarm-repository.ts';
import type { SwarmRow } from './swarm-rows.ts';
import { createSwarmStateRepository } from './state/swarm-state-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import { toActorRef, type Actor } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import {
  hasEnded,
  swarmBounds,
  type SwarmChange,
  type SwarmDetails,
  type SwarmOutcome,
} from '../../domain/swarm.ts';
import type { SwarmRef } from './swarm-contract.ts';
import { requireSeen } from '../workspaces/require-seen.ts';
import { checkPerson } from '../workspaces/stored-work.ts';
import { changeSubtasks } from './tasks/change-subtasks.ts';
import { readDetails } from './read-swarm.ts';
import { requestStops, stopSwarmTurns } from './turns/stop-swarm-turns.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { createAgentFinder, findAgents, listTeamAgents } from './turns/team-agents.ts';
import { wakeSwarm } from './wake-swarm.ts';

/** A change of the shared state, and the key by which a repeated one is known. */
export interface SwarmUpdate {
  /** The actor who changes it through the API; agents of the swarm and programs that come through Temporal are not checked. */
  actor?: Actor;
  change: SwarmChange;
  key: string;
  /** The error when the swarm has ended. @default a `CONFLICT` */
  createTooLate?: (status: SwarmOutcome) => HoldfastError;
}

interface Applied {
  swarm: SwarmDetails;
  stopping: string[];
  wakes: boolean;
}

/**
 * Changes the shared state of a swarm in one transaction under the lock of its row, so that concurrent changes lose
 * nothing. Returns the state after the change; a change that was applied before is not applied again.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `FORBIDDEN` for a key of another person, or `CONFLICT` when the swarm has ended
 */
export async function updateSwarmState(
  dependencies: SwarmDependencies,
  ref: SwarmRef,
  update: SwarmUpdate,
): Promise<SwarmDetails> {
  const { database } = dependencies;
  const { workspaceId, swarmId } = ref;
  if (update.actor) await requireSeen(database, update.actor, { kind: 'swarm', id: swarmId });
  const { swarm, stopping, wakes } = await database.transact(workspaceId, (query) =>
    apply(query, swarmId, update),
  );
  await stopSwarmTurns(dependencies, stopping);
  if (wakes) await wakeSwarm(dependencies, ref);
  return swarm;
}

async function apply(query: Query, swarmId: string, update: SwarmUpdate): Promise<Applied> {
  const { change, key, actor, createTooLate = createConflict } = update;
  const swarms = createSwarmRepository(query);
  const row = await swarms.lockSwarm(swarmId);
  if (actor) checkPerson(actor, { kind: 'swarm', person: row.started_by?.actingFor ?? null });
  if (isEmpty(change)) return { swarm: await readDetails(query, row), stopping: [], wakes: false };
  const state = createSwarmStateRepository(query);
  if (!(await state.noteUpdate(swarmId, key)))
    return { swarm: await readDetails(query, row), stopping: [], wakes: change.subTasks !== undefined };
  if (hasEnded(row.status)) throw createTooLate(row.status);
  if (actor) await state.addParticipant(swarmId, toActorRef(actor, undefined));
  const after = { ...row, team_config: { ...row.team_config, ...change.teamConfig } };
  if (change.teamConfig) await swarms.setTeamConfig(swarmId, after.team_config);
  if (change.blackboard) await changeBlackboard(query, swarmId, change.blackboard);
  const stopping = change.subTasks ? await applySubtasks(query, after, change.subTasks) : [];
  const swarm = await readDetails(query, after);
  if (swarm.state.blackboard.length > swarmBounds.items)
    throw createInvalidInput([
      { field: 'blackboard.set', message: `expected at most ${swarmBounds.items} items in all` },
    ]);
  return { swarm, stopping: await requestStops(query, stopping), wakes: change.subTasks !== undefined };
}

function createConflict(status: SwarmOutcome): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    `The swarm has ended as ${status}; its state does not change any more.`,
  );
}

function isEmpty({ subTasks, blackboard, teamConfig }: SwarmChange): boolean {
  const parts = [subTasks?.set, subTasks?.delete, blackboard?.set, blackboard?.delete];
  return teamConfig === undefined && parts.every((part) => part === undefined || part.length === 0);
}

async function changeBlackboard(
  query: Query,
  swarmId: string,
  change: NonNullable<SwarmChange['blackboard']>,
) {
  const errors = (change.set ?? []).flatMap(({ value }, index) => {
    const bytes = Buffer.byteLength(JSON.stringify(value));
    const message = `expected at most ${swarmBounds.itemBytes} bytes of JSON, found ${bytes}`;
    return bytes > swarmBounds.itemBytes ? [{ field: `blackboard.set.${index}.value`, message }] : [];
  });
  if (errors.length > 0) throw createInvalidInput(errors);
  await createSwarmStateRepository(query).changeItems(swarmId, change);
}

async function applySubtasks(
  query: Query,
  row: SwarmRow,
  change: NonNullable<SwarmChange['subTasks']>,
): Promise<string[]> {
  const state = createSwarmStateRepository(query);
  const team = { leader: row.leader_agent_id, teamConfig: row.team_config };
  const agents = await findAgents(query, listTeamAgents(team, change.set ?? []));
  const { changed, deleted, stopping } = changeSubtasks(await state.listSubtasks(row.id), change, {
    now: new Date().toISOString(),
    findAgent: createAgentFinder(team, agents),
  });
  await state.deleteSubtasks(row.id, deleted);
  await state.storeSubtasks(row.id, changed);
  return stopping;
}
