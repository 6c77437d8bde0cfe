import { createAgentConnectorRepository } from './agent-connector-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { ShownConnector } from '../../../domain/connector.ts';
import { recordConfigured } from '../agent-audit.ts';
import type { AgentDependencies } from '../agent-dependencies.ts';
import { toShownConnector } from './shown-connectors.ts';

interface Attachment {
  agentId: string;
  connectorId: string;
}

/**
 * Attaches a connector to an agent. The agent gets the connector's tools when it is provisioned next.
 * @throws HoldfastError `NOT_FOUND` for the agent or the connector
 */
export function attachConnector(
  { database }: Pick<AgentDependencies, 'database'>,
  caller: Pick<Actor, 'workspaceId' | 'scopes'>,
  { agentId, connectorId }: Attachment,
): Promise<ShownConnector> {
  return database.inWorkspace(caller.workspaceId, async (trx) => {
    const connector = await createAgentConnectorRepository(trx).attach(agentId, connectorId);
    await recordConfigured(trx, agentId, { connector_attached: connector.name });
    return toShownConnector(caller, connector);
  });
}

/**
 * Detaches a connector from an agent. The agent loses the connector's tools when it is provisioned next.
 * @throws HoldfastError `NOT_FOUND` when it is not attached
 */
export function detachConnector(
  { database }: Pick<AgentDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { agentId, connectorId }: Attachment,
): Promise<void> {
  return database.inWorkspace(workspaceId, async (trx) => {
    await createAgentConnectorRepository(trx).detach(agentId, connectorId);
    await recordConfigured(trx, agentId, { connector_detached: connectorId });
  });
}
