import type { Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { ConnectionDependencies } from './connection-dependencies.ts';
import { connectionNotFound } from './oauth/refusals.ts';

/**
 * Deletes a connection with its credentials, and closes the sessions that are open over it.
 * @throws HoldfastError `NOT_FOUND`; `CONFLICT` when it belongs to a connector
 */
export async function deleteConnection(
  {
    connections: parts,
    releaseConnection,
  }: Pick<ConnectionDependencies, 'connections' | 'releaseConnection'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  id: string,
): Promise<void> {
  const connectionId = await parts.inWorkspace(workspaceId, async ({ connections, audit }) => {
    const stored = await connections.findConnectionForUpdate(id);
    if (!stored) throw connectionNotFound(id);
    const connector = await connections.findConnectorName(id);
    if (connector !== null) {
      throw new HoldfastError(
        'CONFLICT',
        `The connector "${connector}" uses this connection; delete the connector first.`,
      );
    }
    const { name, provider } = stored.connection;
    await audit.record({ type: 'connection.deleted', subjectId: id, payload: { name, provider } });
    await connections.deleteConnection(id);
    return stored.connection.id;
  });
  // The stored id, which open sessions have: a caller may write it in capitals.
  releaseConnection({ workspaceId, connectionId });
}
