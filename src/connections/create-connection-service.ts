import type { ConnectionService } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import { newId } from '../lib/ids.ts';
import { finishAuthorization, startAuthorization } from './authorization.ts';
import { changeConnection, createConnection } from './connection-changes.ts';
import type { ConnectionParts } from './connection-parts.ts';
import { connectionNotFound } from './refusals.ts';

/** Builds what makes, changes and authorizes connections. */
export function createConnectionService(parts: ConnectionParts): ConnectionService {
  return {
    create: (workspaceId, input, ownerId) =>
      createConnection(parts, { workspaceId, id: newId(), input, ownerId }),
    change: (workspaceId, id, change) => changeConnection(parts, { workspaceId, id, change }),
    remove: (workspaceId, id) => removeConnection(parts, workspaceId, id),
    startAuthorization: (request) => startAuthorization(parts, request),
    finishAuthorization: (answer) => finishAuthorization(parts, answer),
  };
}

async function removeConnection(parts: ConnectionParts, workspaceId: string, id: string): Promise<void> {
  await parts.inWorkspace(workspaceId, async ({ connections, audit }) => {
    const stored = await connections.findConnectionForUpdate(id);
    if (!stored) throw connectionNotFound(id);
    const connector = await connections.findConnectorName(id);
    if (connector !== null) {
      throw new HoldfastError(
        'CONFLICT',
        `The connector "${connector}" works with this connection; delete that first.`,
      );
    }
    const { name, provider } = stored.connection;
    await audit.record({ type: 'connection.deleted', subjectId: id, payload: { name, provider } });
    await connections.deleteConnection(id);
  });
}
