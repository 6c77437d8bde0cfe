import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createApiKeyRepository } from './api-key-repository.ts';
import { toActorRef } from '../../../domain/actor.ts';
import type { ApiKey } from '../../../domain/api-key.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isUuid } from '../../../domain/uuid.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

type KeyDependencies = Pick<WorkspaceDependencies, 'database'>;

const pageSize = 100;

/** Lists all API keys of a workspace for the operator, newest first, also those that were revoked or have expired. */
export async function listIssuedKeys({ database }: KeyDependencies, workspaceId: string): Promise<ApiKey[]> {
  return database.inWorkspace(workspaceId, async (trx) => {
    const repository = createApiKeyRepository(trx);
    const keys: ApiKey[] = [];
    let cursor: string | undefined;
    do {
      const page = await repository.listApiKeys({ cursor, limit: pageSize });
      keys.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return keys;
  });
}

/**
 * Revokes an API key of any workspace for the operator: requests with it, and with the user tokens that it issued, are
 * refused from now on. `isNew` is false for a key that was revoked before.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function revokeIssuedKey(
  { database }: KeyDependencies,
  id: string,
): Promise<{ apiKey: ApiKey; isNew: boolean }> {
  const found = isUuid(id) ? await createApiKeyRepository(database.system).findApiKey(id) : null;
  if (found?.kind !== 'key')
    throw new HoldfastError(
      'NOT_FOUND',
      `There is no API key with the id "${id}". "holdfast api-keys list" shows the ids of a workspace.`,
    );
  const by = toActorRef({}, undefined);
  return database.inWorkspace(found.workspaceId, async (trx) => {
    const revoked = await createApiKeyRepository(trx).revokeApiKey(id, by);
    if (!revoked) throw new HoldfastError('NOT_FOUND', `There is no API key with the id "${id}" any more.`);
    const payload = { name: revoked.apiKey.name };
    if (revoked.isNew)
      await createAuditLog(trx).record({ type: 'api_key.revoked', subjectId: id, payload, by });
    return revoked;
  });
}
