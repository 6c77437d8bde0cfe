import {
  createApiKeyRepository,
  findKeyOfRequest,
  type StoredApiKey,
} from '../db/workspaces/api-key-repository.ts';
import { toReach, type KeyActor } from '../domain/actor.ts';
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
  const problem = findKeyProblem(stored);
  if (problem !== null) throw unauthorized(`The API key ${problem}.`);
  if (isStale(stored.lastUsedAt)) await createApiKeyRepository(database.system).touchApiKey(stored.id);
  const { workspaceId, id: apiKeyId, scopes, groups, actsFor } = stored;
  return { workspaceId, apiKeyId, scopes, groups, actsFor, reach: toReach(actsFor), via: 'api' };
}

/** Returns why a key may not be used now, as the end of a sentence about it; null when it may. */
export function findKeyProblem({
  revokedAt,
  expiresAt,
}: Pick<StoredApiKey, 'revokedAt' | 'expiresAt'>): string | null {
  if (revokedAt !== null) return `was revoked at ${revokedAt}`;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return `expired at ${expiresAt}`;
  return null;
}

function isStale(lastUsedAt: string | null): boolean {
  return lastUsedAt === null || Date.now() - Date.parse(lastUsedAt) >= lastUsedAccuracyMs;
}

function unauthorized(message: string): HoldfastError {
  return new HoldfastError('UNAUTHORIZED', message);
}
