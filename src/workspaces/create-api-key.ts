import { createApiKeyRepository } from '../db/workspaces/api-key-repository.ts';
import type { Actor } from '../domain/actor.ts';
import { type ApiKey, type ApiKeyInput } from '../domain/api-key.ts';
import { scopes, type Scope } from '../domain/scope.ts';
import { authorize } from '../domain/authorize.ts';
import { createInvalidInput, HoldfastError } from '../domain/errors.ts';
import { newId } from '../lib/ids.ts';
import { createApiKeyText } from './api-key-text.ts';
import type { WorkspaceDependencies, WorkspaceLimits } from './workspace-dependencies.ts';

/** Scopes that a key gets only when they are asked for: payloads are those of all workspaces. */
const neverDefault: readonly Scope[] = ['api_keys:write', 'payloads:read'];
const defaultScopes = scopes.filter((scope) => !neverDefault.includes(scope));

/**
 * Creates an API key. `key` is its text, of which only a hash is stored: it cannot be read again.
 * @throws HoldfastError `FORBIDDEN` when the key would have scopes or groups that its creator lacks, or act for somebody
 * for whom it may not; `INVALID_INPUT`; `CONFLICT` when the workspace has as many keys as it may have
 */
export async function createApiKey(
  dependencies: WorkspaceDependencies & WorkspaceLimits,
  actor: Actor,
  input: ApiKeyInput,
): Promise<{ apiKey: ApiKey; key: string }> {
  authorize(actor, 'keys.write');
  checkScopes([...new Set(input.scopes ?? defaultScopes)], actor);
  checkIdentity(input, actor);
  return issueApiKey(dependencies, actor.workspaceId, input);
}

/**
 * Creates an API key for the operator, who may give any scope and group, and any number of keys unless a limit is given.
 * @throws HoldfastError `INVALID_INPUT`, `CONFLICT`
 */
export async function issueApiKey(
  { database, apiKeysPerWorkspace = Infinity }: WorkspaceDependencies & Partial<WorkspaceLimits>,
  workspaceId: string,
  { name, scopes: wanted = defaultScopes, expiresAt, groups = [], actsFor }: ApiKeyInput,
): Promise<{ apiKey: ApiKey; key: string }> {
  if (expiresAt !== undefined) checkExpiry(expiresAt);
  const id = newId();
  const { text, secretHash } = createApiKeyText(id);
  const granted = { scopes: [...new Set(wanted)], groups: [...new Set(groups)], actsFor };
  const apiKey = await database.inWorkspace(workspaceId, async (trx) => {
    const keys = createApiKeyRepository(trx);
    if (apiKeysPerWorkspace < Infinity && (await keys.countUsable()) >= apiKeysPerWorkspace)
      throw tooManyKeys(apiKeysPerWorkspace);
    return keys.createApiKey({ id, name, ...granted, expiresAt, secretHash });
  });
  return { apiKey, key: text };
}

function checkScopes(granted: readonly Scope[], creator: Actor): void {
  const missingScopes = granted.filter((scope) => !creator.scopes.includes(scope));
  if (missingScopes.length === 0) return;
  const message = `The API key lacks the scopes ${missingScopes.join(', ')}, so it cannot give them to another.`;
  throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes } });
}

/** Otherwise a key could be used to make one that approves where it may not itself. */
function checkIdentity({ groups = [], actsFor }: ApiKeyInput, creator: Actor): void {
  const missingGroups = groups.filter((group) => !creator.groups.includes(group));
  if (missingGroups.length > 0) {
    const message = `The API key is not in the groups ${missingGroups.join(', ')}, so it cannot put another into them.`;
    throw new HoldfastError('FORBIDDEN', message, { details: { missingGroups } });
  }
  if (creator.actsFor === null || actsFor === creator.actsFor) return;
  const message = `The API key acts for ${creator.actsFor}, and so must the keys that it creates: send "actsFor".`;
  throw new HoldfastError('FORBIDDEN', message);
}

function tooManyKeys(most: number): HoldfastError {
  const message =
    `A workspace has at most ${most} API keys that are neither revoked nor expired. ` +
    'Revoke keys that nobody uses, or raise HOLDFAST_API_KEYS_PER_WORKSPACE.';
  return new HoldfastError('CONFLICT', message, { details: { most } });
}

function checkExpiry(expiresAt: string): void {
  if (Date.parse(expiresAt) > Date.now()) return;
  throw createInvalidInput([{ field: 'expiresAt', message: 'expected a time to come' }]);
}
