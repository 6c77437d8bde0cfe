import { createSwarmStateRepository, type SwarmAgent } from '../state/swarm-state-repository.ts';
import type { Query } from '../../../platform/database/statement.ts';
import type { SubtaskChange, TeamConfig } from '../../../domain/swarm.ts';
import { isUuid } from '../../../domain/uuid.ts';

interface Team {
  leader: string | null;
  teamConfig: TeamConfig;
}

/** The ids of the agents that a team and subtasks name. */
export function listTeamAgents({ leader, teamConfig }: Team, subtasks: readonly SubtaskChange[]): string[] {
  const members = (teamConfig.members ?? []).map(({ agentId }) => agentId);
  const assignees = subtasks.flatMap(({ assignee }) => (assignee && isUuid(assignee) ? [assignee] : []));
  return [...new Set([...(leader === null ? [] : [leader]), ...members, ...assignees])];
}

/** Finds those of the agents that exist, by their ids. */
export async function findAgents(query: Query, ids: string[]): Promise<Map<string, SwarmAgent>> {
  const agents = await createSwarmStateRepository(query).listAgents(ids);
  return new Map(agents.map((agent) => [agent.id, agent]));
}

/**
 * Finds the agent that an assignee names by its id or its name. In a team with members it has to be one of them, or the
 * leader.
 */
export function createAgentFinder({ leader, teamConfig }: Team, agents: ReadonlyMap<string, SwarmAgent>) {
  const members = teamConfig.members ?? [];
  const isInTeam = (id: string) =>
    members.length === 0 || id === leader || members.some(({ agentId }) => agentId === id);
  return (assignee: string | undefined): string | undefined => {
    if (assignee === undefined) return leader ?? undefined;
    if (agents.has(assignee)) return isInTeam(assignee) ? assignee : undefined;
    const named = members.find(({ name }) => name === assignee)?.agentId;
    const found = named ?? [...agents.values()].find(({ name }) => name === assignee)?.id;
    return found !== undefined && agents.has(found) && isInTeam(found) ? found : undefined;
  };
}
