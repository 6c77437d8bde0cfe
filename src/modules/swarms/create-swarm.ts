import { createHash } from 'node:crypto';
import { createSwarmLimitRepository } from '../credits/budgets/swarm-limit-repository.ts';
import { createSwarmRepository } from './swarm-repository.ts';
import type { SwarmRow } from './swarm-rows.ts';
import { createSwarmStateRepository } from './state/swarm-state-repository.ts';
import type { Query } from '../../platform/database/statement.ts';
import type { ActorRef } from '../../domain/actor.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import { storedTeamSchema, type SwarmDetails, type SwarmInput, type TeamConfig } from '../../domain/swarm.ts';
import { changeSubtasks } from './tasks/change-subtasks.ts';
import { findParent, type SpawningTurn, type SwarmParent } from './find-parent.ts';
import { readDetails } from './read-swarm.ts';
import type { SwarmDependencies } from './swarm-dependencies.ts';
import { planningFunction } from './turns/swarm-turn-repository.ts';
import { createAgentFinder, findAgents, listTeamAgents } from './turns/team-agents.ts';
import { requireSameRequest } from '../workspaces/repeated-request.ts';
import { wakeSwarm } from './wake-swarm.ts';

/** The order to start a swarm under an id that is the same for every retry. */
export interface SwarmOrder {
  swarmId: string;
  input: SwarmInput;
  /** Null for a swarm that a turn starts: those who have started the turn start it. */
  startedBy: ActorRef | null;
  /** The turn that starts the swarm. */
  turn?: SpawningTurn;
}

/**
 * Stores a swarm and starts its workflow; the same order again finds the swarm that is stored.
 * @throws HoldfastError `INVALID_INPUT`, `IDEMPOTENCY_KEY_REUSED`, `AGENT_DEPTH_EXCEEDED` or `CONFLICT`
 */
export async function createSwarm(
  dependencies: Pick<SwarmDependencies, 'database' | 'startSwarm' | 'logger'>,
  { workspaceId }: { workspaceId: string },
  order: SwarmOrder,
): Promise<{ accepted: boolean; swarm: SwarmDetails }> {
  const stored = await dependencies.database.transact(workspaceId, (query) => storeSwarm(query, order));
  await wakeSwarm(dependencies, { workspaceId, swarmId: order.swarmId });
  return stored;
}

async function storeSwarm(
  query: Query,
  order: SwarmOrder,
): Promise<{ accepted: boolean; swarm: SwarmDetails }> {
  const { swarmId, input } = order;
  const swarms = createSwarmRepository(query);
  const requestHash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const earlier = await swarms.findSwarm(swarmId);
  if (earlier) return { accepted: false, swarm: await readRepeated(query, earlier, { order, requestHash }) };
  const parent = await findParent(query, order.turn, input.limits);
  const { leader, teamConfig, subtasks } = await checkInput(query, input);
  const row = await swarms.insertSwarm({
    ...{ id: swarmId, kind: input.kind, goal: input.goal, leader, teamConfig, requestHash },
    ...{ limits: parent.limits, startedBy: order.startedBy, parent: toParentColumns(parent, order.turn) },
    inheritsRules: order.turn?.inheritsRules === true,
  });
  if (!row)
    throw new HoldfastError(
      'CONFLICT',
      'The swarm is being started by another request. Send this one again.',
    );
  const { credits } = parent.limits;
  if (credits !== null) await createSwarmLimitRepository(query).openLimit(swarmId, credits);
  await createSwarmStateRepository(query).storeSubtasks(swarmId, subtasks);
  await swarms.recordAudit('swarm.started', swarmId, { kind: input.kind, leader, subtasks: subtasks.length });
  return { accepted: true, swarm: await readDetails(query, row) };
}

function toParentColumns({ swarmId, lineage }: SwarmParent, turn: SpawningTurn | undefined) {
  return {
    parent_swarm_id: swarmId,
    lineage,
    parent_turn_id: turn?.turnId ?? null,
    parent_conversation_id: turn?.conversationId ?? null,
  };
}

function readRepeated(
  query: Query,
  row: SwarmRow,
  { order, requestHash }: { order: SwarmOrder; requestHash: string },
): Promise<SwarmDetails> {
  requireSameRequest(
    { actsFor: order.startedBy?.actingFor ?? null },
    {
      ...{ thing: 'swarm', person: row.started_by?.actingFor, details: { swarmId: row.id } },
      isSame: row.request_hash === requestHash,
    },
  );
  return readDetails(query, row);
}

/** Checks that the agents of a swarm are there, that an agent can plan it, and that its first subtasks fit together. */
async function checkInput(query: Query, input: SwarmInput) {
  const teamConfig = input.kind === 'rich' ? await readTeam(query, input) : {};
  const leader = input.leader ?? teamConfig.leader ?? null;
  const set = input.kind === 'rich' ? input.subtasks : [];
  const team = { leader, teamConfig };
  const agents = await findAgents(query, listTeamAgents(team, set));
  const missing = [leader, ...(teamConfig.members ?? []).map(({ agentId }) => agentId)].filter(
    (id) => id !== null && !agents.has(id),
  );
  if (missing.length > 0)
    throw createInvalidInput([{ field: 'leader', message: `there is no agent ${missing.join(', ')}` }]);
  if (set.length === 0 && leader === null)
    throw createInvalidInput([
      { field: 'leader', message: 'expected a leader, a team with one, or subtasks' },
    ]);
  const canPlan = leader !== null && agents.get(leader)?.functions.includes(planningFunction);
  if (set.length === 0 && !canPlan)
    throw createInvalidInput([
      { field: 'leader', message: `expected an agent with the function ${planningFunction} among its tools` },
    ]);
  const findAgent = createAgentFinder(team, agents);
  const { subtasks } = changeSubtasks([], { set }, { now: new Date().toISOString(), findAgent });
  return { leader, teamConfig, subtasks };
}

/** The team of a resource, with fields replaced by those of the order. */
async function readTeam(
  query: Query,
  { teamId, teamConfig }: Extract<SwarmInput, { kind: 'rich' }>,
): Promise<TeamConfig> {
  if (teamId === undefined) return teamConfig;
  const found = await createSwarmStateRepository(query).findTeam(teamId);
  if (!found) throw createInvalidInput([{ field: 'teamId', message: `there is no team ${teamId}` }]);
  const { leaderId, members, goal, name } = storedTeamSchema.parse(found);
  const leader = leaderId ?? members[0]?.agentId;
  return {
    teamId,
    name,
    ...(goal === '' ? {} : { goal }),
    ...(leader ? { leader } : {}),
    members,
    ...teamConfig,
  };
}
