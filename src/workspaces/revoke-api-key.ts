import { createApiKeyRepository } from '../db/workspaces/api-key-repository.ts';
import type { Actor } from '../domain/actor.ts';
import type { ApiKey } from '../domain/api-key.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { WorkspaceDependencies } from './workspace-dependencies.ts';

/** Revokes an API key: requests with it are refused from now on. @throws HoldfastError `NOT_FOUND` */
export async function revokeApiKey(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  id: string,
): Promise<ApiKey> {
  const apiKey = await database.inWorkspace(workspaceId, (trx) =>
    createApiKeyRepository(trx).revokeApiKey(id),
  );
  if (!apiKey) throw new HoldfastError('NOT_FOUND', `There is no API key ${id}.`);
  return apiKey;
}
