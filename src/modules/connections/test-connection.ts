import { createConnectionRepository } from './connection-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import type { ConnectionTest } from '../../domain/discovered-tool.ts';
import type { ConnectionDependencies } from './connection-dependencies.ts';
import { connectionNotFound } from './oauth/refusals.ts';

/**
 * Calls the server of a connection to find out whether the connection works; a refusal of the server is a result.
 * @throws HoldfastError `NOT_FOUND`, and the errors of opening a connection
 */
export async function testConnection(
  { database, discovery }: Pick<ConnectionDependencies, 'database' | 'discovery'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  connectionId: string,
): Promise<ConnectionTest> {
  const found = await database.inWorkspace(workspaceId, (trx) =>
    createConnectionRepository(trx).findConnection(connectionId),
  );
  if (!found) throw connectionNotFound(connectionId);
  return discovery.testConnection({ workspaceId, connectionId });
}
