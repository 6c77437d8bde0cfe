import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createConnectionRepository } from '../connection-repository.ts';
import { createConnectorRepository } from './connector-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';

/**
 * Deletes a connector together with its connection, closes the sessions that are open over that connection, and
 * detaches the connector from its agents.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function removeConnector(
  { database, releaseConnection }: Pick<ConnectionDependencies, 'database' | 'releaseConnection'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  id: string,
): Promise<void> {
  const connectionId = await database.inWorkspace(workspaceId, async (trx) => {
    const connector = await createConnectorRepository(trx).deleteConnector(id);
    await createConnectionRepository(trx).deleteConnection(connector.connectionId);
    const audit = createAuditLog(trx);
    await audit.record({
      type: 'connector.deleted',
      subjectId: id,
      payload: { connector_name: connector.name },
    });
    await audit.record({
      type: 'connection.deleted',
      subjectId: connector.connectionId,
      payload: { name: `connector ${connector.name}`, provider: 'mcp' },
    });
    return connector.connectionId;
  });
  releaseConnection({ workspaceId, connectionId });
}
