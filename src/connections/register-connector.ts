import type { Knex } from 'knex';
import { createAuditLog } from '../db/audit/audit-log.ts';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import { createConnectorRepository } from '../db/connections/connector-repository.ts';
import type { Principal } from '../domain/api-key.ts';
import type { Connector, ConnectorInput } from '../domain/connector.ts';
import type { Dependencies } from '../http/server/api-dependencies.ts';

interface Registration {
  input: ConnectorInput;
  principal: Principal;
  dependencies: Pick<Dependencies, 'connections' | 'logger'>;
  inWorkspace: <Result>(run: (trx: Knex.Transaction) => Promise<Result>) => Promise<Result>;
}

/**
 * Registers a connector with a connection of its own that keeps its credentials.
 * @throws HoldfastError `CONFLICT` for a name that is taken or a tool that another connector has, and what
 * making a connection throws
 */
export async function registerConnector(registration: Registration): Promise<Connector> {
  const { input, principal, dependencies, inWorkspace } = registration;
  const { name, type, endpoint, auth, tools } = input;
  // Asked before anything is made, so that the usual conflict leaves nothing to take back.
  await inWorkspace((trx) => createConnectorRepository(trx).checkClaims({ name, tools }));
  const { workspaceId, apiKeyId } = principal;
  const request = { name: `connector ${name}`, provider: 'mcp', endpoint, auth };
  const { id: connectionId } = await dependencies.connections.create(workspaceId, request, apiKeyId);
  try {
    return await inWorkspace(async (trx) => {
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
  } catch (error) {
    await dependencies.connections.remove(workspaceId, connectionId).catch((failure: unknown) => {
      dependencies.logger.error({ err: failure, connectionId }, 'a connection without its connector is left');
    });
    throw error;
  }
}

/**
 * Takes a connector out of use together with its connection, and away from the agents that it is attached to. Gives
 * back what it was.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function removeConnector(trx: Knex, id: string): Promise<Connector> {
  const connector = await createConnectorRepository(trx).deleteConnector(id);
  const { name, connectionId } = connector;
  await createConnectionRepository(trx).deleteConnection(connectionId);
  const audit = createAuditLog(trx);
  await audit.record({ type: 'connector.deleted', subjectId: id, payload: { connector_name: name } });
  await audit.record({
    type: 'connection.deleted',
    subjectId: connectionId,
    payload: { name: `connector ${name}`, provider: 'mcp' },
  });
  return connector;
}
