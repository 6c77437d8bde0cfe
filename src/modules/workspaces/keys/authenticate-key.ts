import { createApiKeyRepository, findKeyOfRequest, type StoredApiKey } from './api-key-repository.ts';
import { toReach, type Actor, type KeyActor } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { toReachOfRoles } from '../../../domain/role.ts';
import { isSecretOf, parseApiKeyText } from './api-key-text.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

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
  const found = given && (await findKeyOfRequest(database.lookUp, given.id));
  // People have no secret, and a token is no key by another name.
  const stored = found?.kind === given?.kind ? found : null;
  if (!stored || !given || !isSecretOf(given.secret, stored.secretHash)) {
    throw unauthorized('The API key is not known. Keys look like holdfast_<id>_<secret>.');
  }
  const problem = findKeyProblem(stored);
  if (problem !== null) throw unauthorized(`The API key ${problem}.`);
  await noteUse(database, stored);
  return toActor(stored, 'api');
}

/** Notes that a key or a person was seen. */
export async function noteUse(
  { system }: Pick<WorkspaceDependencies['database'], 'system'>,
  { id, lastUsedAt }: Pick<StoredApiKey, 'id' | 'lastUsedAt'>,
): Promise<void> {
  if (isStale(lastUsedAt)) await createApiKeyRepository(system).touchApiKey(id);
}

/** Returns the actor that a key, a token or a person stands for. */
export function toActor(
  { workspaceId, id: apiKeyId, scopes, groups, actsFor, kind, roles, conversations }: StoredApiKey,
  via: Actor['via'],
): KeyActor {
  const reach = kind === 'key' || conversations !== null ? toReach(actsFor) : toReachOfRoles(roles);
  const shown = { workspaceId, apiKeyId, scopes, groups, actsFor, reach, via };
  return conversations === null ? shown : { ...shown, conversations };
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
