import { createAgentConnectorRepository } from '../db/agents/agent-connector-repository.ts';
import { createAgentRepository } from '../db/agents/agent-repository.ts';
import type { Actor } from '../domain/actor.ts';
import type { Connector } from '../domain/connector.ts';
import type { AgentDependencies } from './agent-dependencies.ts';

/**
 * Lists the connectors that are attached to an agent, in the order in which they were registered.
 * @throws HoldfastError `NOT_FOUND` for the agent
 */
export function listAttachedConnectors(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId }: { agentId: string },
): Promise<Connector[]> {
  return database.inWorkspace(workspaceId, async (trx) => {
    await createAgentRepository(trx).getAgent(agentId);
    return createAgentConnectorRepository(trx).listAttached(agentId);
  });
}
