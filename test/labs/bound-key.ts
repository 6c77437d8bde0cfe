import { scopes } from '../../src/domain/scope.ts';
import { createApiKeyRepository } from '../../src/modules/workspaces/keys/api-key-repository.ts';
import { createApiKeyText } from '../../src/modules/workspaces/keys/api-key-text.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import type { TurnLab } from './turn-lab.ts';

/** Creates a key with all scopes for one person alone, and returns its reference. */
export async function createBoundKey(
  { database, workspaceId }: Pick<TurnLab, 'database' | 'workspaceId'>,
  actsFor: string,
): Promise<{ apiKeyId: string; actingFor: string }> {
  const id = newId();
  const { secretHash } = createApiKeyText(id);
  const key = { id, name: actsFor, secretHash, scopes, workspaceId, groups: [], actsFor };
  await createApiKeyRepository(database.system).createApiKey(key);
  return { apiKeyId: id, actingFor: actsFor };
}
