import type { Database } from '../db/connect-database.ts';
import { createApiKeyRepository, type StoredApiKey } from '../db/workspaces/api-key-repository.ts';
import type { Principal } from '../domain/api-key.ts';
import { HoldfastError } from '../domain/errors.ts';
import { isSecretOf, parseApiKeyText } from './api-key-text.ts';

/** How exactly the last use of a key is stored, in milliseconds. */
const lastUsedAccuracyMs = 60_000;

/**
 * Finds the principal of an API key, and stores that the key was used.
 * @throws HoldfastError `UNAUTHORIZED` when the key is unknown, revoked or expired
 */
export async function authenticateKey(
  { system }: Pick<Database, 'system'>,
  text: string,
): Promise<Principal> {
  const given = parseApiKeyText(text);
  const keys = createApiKeyRepository(system);
  const stored = given && (await keys.findApiKey(given.id));
  if (!stored || !isSecretOf(given.secret, stored.secretHash)) {
    throw unauthorized('The API key is not known. Keys look like holdfast_<id>_<secret>.');
  }
  checkUsable(stored);
  if (isStale(stored.lastUsedAt)) await keys.touchApiKey(stored.id);
  return { workspaceId: stored.workspaceId, apiKeyId: stored.id, scopes: stored.scopes };
}

function checkUsable({ revokedAt, expiresAt }: StoredApiKey): void {
  if (revokedAt !== null) throw unauthorized(`The API key was revoked at ${revokedAt}.`);
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    throw unauthorized(`The API key expired at ${expiresAt}.`);
  }
}

function isStale(lastUsedAt: string | null): boolean {
  return lastUsedAt === null || Date.now() - Date.parse(lastUsedAt) >= lastUsedAccuracyMs;
}

function unauthorized(message: string): HoldfastError {
  return new HoldfastError('UNAUTHORIZED', message);
}
