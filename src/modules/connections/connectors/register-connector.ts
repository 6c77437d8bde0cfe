import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createConnectorRepository } from './connector-repository.ts';
import type { KeyActor } from '../../../domain/actor.ts';
import type { Connector, ConnectorInput } from '../../../domain/connector.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import { createConnection } from '../create-connection.ts';
import { deleteConnection } from '../delete-connection.ts';
import { checkServerName } from '../oauth/refusals.ts';

/**
 * Registers a connector, and creates the connection that keeps its credentials.
 * @throws HoldfastError `CONFLICT` for a name that is taken; and the errors of `createConnection`
 */
export async function registerConnector(
  dependencies: ConnectionDependencies,
  actor: Pick<KeyActor, 'workspaceId' | 'apiKeyId'>,
  input: ConnectorInput,
): Promise<Connector> {
  const { database, logger } = dependencies;
  const { workspaceId } = actor;
  const { name, endpoint, auth } = input;
  checkServerName(name, dependencies.mcpServers);
  // Checked before the connection is created, so that the usual conflict leaves nothing to delete.
  await database.inWorkspace(workspaceId, (trx) => createConnectorRepository(trx).checkName(name));
  const request = { name: `connector ${name}`, provider: 'mcp', endpoint, auth };
  const { id: connectionId } = await createConnection(dependencies, actor, request);
  try {
    return await storeConnector(dependencies, workspaceId, { ...input, connectionId });
  } catch (error) {
    await deleteConnection(dependencies, actor, connectionId).catch((failure: unknown) => {
      logger.error({ err: failure, connectionId }, 'a connection without its connector is left');
    });
    throw error;
  }
}

function storeConnector(
  { database }: Pick<ConnectionDependencies, 'database'>,
  workspaceId: string,
  { name, type, endpoint, tools, connectionId }: ConnectorInput & { connectionId: string },
): Promise<Connector> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const connector = await createConnectorRepository(trx).createConnector({
      name,
      type,
      connectionId,
      tools,
    });
    await createAuditLog(trx).record({
      type: 'connector.created',
      subjectId: connector.id,
      payload: { connector_name: name, endpoint, connection_id: connectionId, tools: connector.tools },
    });
    return connector;
  });
}
