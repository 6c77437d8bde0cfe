import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { toQuery } from '../../../platform/database/statement.ts';
import { createApiKeyRepository } from './api-key-repository.ts';
import { findCredential } from './credential-repository.ts';
import { toActorRef, type Actor } from '../../../domain/actor.ts';
import type { ApiKey } from '../../../domain/api-key.ts';
import { authorize } from '../../../domain/authorize.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { checkTaken, readBounds } from './key-bounds.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/**
 * Revokes an API key, and what that has made: requests with these are refused from now on. A key may revoke itself, and keys
 * that may do no more now than it may.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a key with scopes, groups, a person or an end beyond those of the actor
 */
export async function revokeApiKey(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  actor: Actor,
  id: string,
): Promise<ApiKey> {
  authorize(actor, 'keys.write');
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    const keys = createApiKeyRepository(trx);
    const found = await findCredential(toQuery(trx), id);
    if (found?.kind !== 'key') throw notFound(id);
    if (found.id !== actor.apiKeyId) checkTaken(await readBounds(trx, actor, { isLocked: false }), found);
    const by = toActorRef(actor, undefined);
    const revoked = await keys.revokeApiKey(id, by);
    if (!revoked) throw notFound(id);
    const payload = { name: revoked.apiKey.name };
    if (revoked.isNew)
      await createAuditLog(trx).record({ type: 'api_key.revoked', subjectId: found.id, payload, by });
    return revoked.apiKey;
  });
}

function notFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no API key ${id}.`);
}
