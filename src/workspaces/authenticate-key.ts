import {
  createApiKeyRepository,
  findKeyOfRequest,
  type StoredApiKey,
} from '../db/workspaces/api-key-repository.ts';
import type { KeyActor } from '../domain/actor.ts';
import { HoldfastError } from '../domain/errors.ts';
import { isSecretOf, parseApiKeyText } from './api-key-text.ts';
import type { WorkspaceDependencies } from './workspace-dependencies.ts';

/** `lastUsedAt` of a key is written at most once in this time, in milliseconds. */
const lastUsedAccuracyMs = 60_000;

/**
 * Finds the actor that the text of an API key stands for, and notes that the key was used.
 * @throws HoldfastError `UNAUTHORIZED` for a key that is unknown, revoked or expired
 */
export async function authenticateKey(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  text: string,
): Promise<KeyActor> {
  const given = parseApiKeyText(text);
  const stored = given && (await findKeyOfRequest(database.lookUp, given.id));
  if (!stored || !isSecretOf(given.secret, stored.secretHash)) {
    throw unauthorized('The API key is not known. Keys look like holdfast_<id>_<secret>.');
  }
  checkUsable(stored);
  if (isStale(stored.lastUsedAt)) await createApiKeyRepository(database.system).touchApiKey(stored.id);
  const { workspaceId, id: apiKeyId, scopes, groups, actsFor } = stored;
  return { workspaceId, apiKeyId, scopes, groups, actsFor, via: 'api' };
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
