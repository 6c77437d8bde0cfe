import type { Knex } from 'knex';
import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import { createApiKeyRepository } from './api-key-repository.ts';
import { toActorRef, type Actor, type ActorRef } from '../../../domain/actor.ts';
import { type ApiKey, type ApiKeyInput } from '../../../domain/api-key.ts';
import { scopes, type Scope } from '../../../domain/scope.ts';
import { authorize } from '../../../domain/authorize.ts';
import { createInvalidInput, HoldfastError } from '../../../domain/errors.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { createApiKeyText } from './api-key-text.ts';
import { checkGiven, readBounds } from './key-bounds.ts';
import type { WorkspaceDependencies, WorkspaceLimits } from '../workspace-dependencies.ts';

/** Scopes that a key gets only when they are asked for: payloads are those of all workspaces. */
const neverDefault: readonly Scope[] = ['api_keys:write', 'payloads:read'];
const defaultScopes = scopes.filter((scope) => !neverDefault.includes(scope));

/**
 * Creates an API key. `key` is its text, of which only a hash is stored: it cannot be read again. Without `expiresAt` the
 * key expires with its creator.
 * @throws HoldfastError `FORBIDDEN` when the key would have scopes or groups that its creator lacks, act for a person for
 * whom its creator may not act, or be valid for longer; `INVALID_INPUT`; `CONFLICT` when the workspace has as many keys as
 * it may have
 */
export async function createApiKey(
  { database, apiKeysPerWorkspace }: WorkspaceDependencies & WorkspaceLimits,
  actor: Actor,
  input: ApiKeyInput,
): Promise<{ apiKey: ApiKey; key: string }> {
  authorize(actor, 'keys.write');
  return database.inWorkspace(actor.workspaceId, async (trx) => {
    const bounds = await readBounds(trx, actor, { isLocked: true });
    const expiresAt = input.expiresAt ?? bounds.expiresAt ?? undefined;
    const { scopes: wanted = defaultScopes, groups = [], actsFor = null } = input;
    checkGiven(bounds, { scopes: [...wanted], groups, actsFor, expiresAt: expiresAt ?? null });
    await refuseTooMany(trx, apiKeysPerWorkspace);
    return storeKey(trx, toActorRef(actor, undefined), { ...input, expiresAt });
  });
}

/**
 * Creates an API key for the operator, who may give any scope and group, and any number of keys unless a limit is given.
 * @throws HoldfastError `INVALID_INPUT`, `CONFLICT`
 */
export async function issueApiKey(
  { database, apiKeysPerWorkspace = Infinity }: WorkspaceDependencies & Partial<WorkspaceLimits>,
  workspaceId: string,
  input: ApiKeyInput,
): Promise<{ apiKey: ApiKey; key: string }> {
  return database.inWorkspace(workspaceId, async (trx) => {
    await refuseTooMany(trx, apiKeysPerWorkspace);
    return storeKey(trx, toActorRef({}, undefined), input);
  });
}

async function storeKey(
  trx: Knex,
  by: ActorRef,
  { name, scopes: wanted = defaultScopes, expiresAt, groups = [], actsFor }: ApiKeyInput,
): Promise<{ apiKey: ApiKey; key: string }> {
  if (expiresAt !== undefined) checkExpiry(expiresAt);
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const granted = { scopes: [...new Set(wanted)], groups: [...new Set(groups)], actsFor };
  const key = { id, name, ...granted, expiresAt, secretHash, madeBy: by };
  const apiKey = await createApiKeyRepository(trx).createApiKey(key);
  const payload = {
    ...{ name, scopes: apiKey.scopes, groups: apiKey.groups },
    ...{ acts_for: apiKey.actsFor, expires_at: apiKey.expiresAt },
  };
  await createAuditLog(trx).record({ type: 'api_key.created', subjectId: id, payload, by });
  return { apiKey, key: text };
}

/** @throws HoldfastError `CONFLICT` */
async function refuseTooMany(trx: Knex, most: number): Promise<void> {
  if (most === Infinity || (await createApiKeyRepository(trx).countUsable()) < most) return;
  const message =
    `A workspace has at most ${most} API keys that are neither revoked nor expired. ` +
    'Revoke keys that nobody uses, or raise HOLDFAST_API_KEYS_PER_WORKSPACE.';
  throw new HoldfastError('CONFLICT', message, { details: { most } });
}

function checkExpiry(expiresAt: string): void {
  if (Date.parse(expiresAt) > Date.now()) return;
  throw createInvalidInput([{ field: 'expiresAt', message: 'expected a time to come' }]);
}
