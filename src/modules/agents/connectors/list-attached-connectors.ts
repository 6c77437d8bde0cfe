import { createAgentConnectorRepository } from './agent-connector-repository.ts';
import { createAgentRepository } from '../agent-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Connector, ShownConnector } from '../../../domain/connector.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { toShownConnector } from './shown-connectors.ts';

/**
 * Lists the connectors that are attached to an agent, in the order in which they were registered.
 * @throws HoldfastError `NOT_FOUND` for the agent
 */
export async function listAttachedConnectors(
  dependencies: Pick<AgentDependencies, 'database'>,
  caller: Pick<Actor, 'workspaceId' | 'scopes'>,
  { agentId }: { agentId: string },
): Promise<ShownConnector[]> {
  const connectors = await listConnectors(dependencies, caller, { agentId });
  return connectors.map((connector) => toShownConnector(caller, connector));
}

/**
 * Lists the attached connectors whole, for what provisions the agent.
 * @throws HoldfastError `NOT_FOUND` for the agent
 */
export function listConnectors(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId }: { agentId: string },
): Promise<Connector[]> {
  return database.inWorkspace(workspaceId, async (trx) => {
    await createAgentRepository(trx).getAgent(agentId);
    return createAgentConnectorRepository(trx).listAttached(agentId);
  });
}
