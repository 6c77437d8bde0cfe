import { createApiKeyRepository } from './api-key-repository.ts';
import { findCredential, type Credential } from './credential-repository.ts';
import type { Actor, KeyActor } from '../../../domain/actor.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isSecretOf, parseApiKeyText } from './api-key-text.ts';
import type { WorkspaceDependencies } from '../workspace-dependencies.ts';

/** `lastUsedAt` of a key is written at most once in this time, in milliseconds. */
const lastUsedAccuracyMs = 60_000;

/**
 * Finds the actor that the text of an API key stands for, and notes that the key was used.
 * @throws HoldfastError `UNAUTHORIZED` for a key that is unknown, or with one of its makers was revoked or has expired
 */
export async function authenticateKey(
  { database }: Pick<WorkspaceDependencies, 'database'>,
  text: string,
): Promise<KeyActor> {
  const given = parseApiKeyText(text);
  const found = given && (await findCredential(database.lookUp, given.id));
  // People have no secret, and a token is no key by another name.
  const stored = found?.kind === given?.kind ? found : null;
  if (!stored || !given || !isSecretOf(given.secret, stored.secretHash)) {
    throw unauthorized('The API key is not known. Keys look like holdfast_<id>_<secret>.');
  }
  if (stored.problem !== null) throw unauthorized(`The API key ${stored.problem}.`);
  await noteUse(database, stored);
  return toActor(stored, 'api');
}

/** Notes that a key or a person was seen. */
export async function noteUse(
  { system }: Pick<WorkspaceDependencies['database'], 'system'>,
  { id, lastUsedAt }: Pick<Credential, 'id' | 'lastUsedAt'>,
): Promise<void> {
  if (isStale(lastUsedAt)) await createApiKeyRepository(system).touchApiKey(id);
}

/** Returns the actor that a key, a token or a person stands for now. */
export function toActor(credential: Credential, via: Actor['via']): KeyActor {
  const { workspaceId, id: apiKeyId, scopes, groups, actsFor, reach, conversations } = credential;
  const shown = { workspaceId, apiKeyId, scopes, groups, actsFor, reach, via };
  return conversations === undefined ? shown : { ...shown, conversations };
}

function isStale(lastUsedAt: string | null): boolean {
  return lastUsedAt === null || Date.now() - Date.parse(lastUsedAt) >= lastUsedAccuracyMs;
}

function unauthorized(message: string): HoldfastError {
  return new HoldfastError('UNAUTHORIZED', message);
}
