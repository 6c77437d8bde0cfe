import type { Knex } from 'knex';
import { createApiKeyRepository, type StoredApiKey } from './api-key-repository.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { ApiKey } from '../../../domain/api-key.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { actsForOther } from '../../../domain/person.ts';
import { findKeyProblem } from './authenticate-key.ts';

/** The most that a key may have that an actor makes or revokes: the rights of the actor, until the actor's end. */
interface KeyBounds extends Pick<Actor, 'scopes' | 'groups' | 'actsFor'> {
  /** ISO 8601; null for an actor that does not expire. */
  expiresAt: string | null;
  /** Null for an operator. */
  kind: StoredApiKey['kind'] | null;
}

type BoundedKey = Pick<ApiKey, 'scopes' | 'groups' | 'actsFor' | 'expiresAt'>;

/**
 * Reads the bounds of an actor. With `isLocked` its key is not revoked before the transaction ends. A transaction that
 * changes other keys does not lock it: two keys that revoke each other would wait for each other.
 * @throws HoldfastError `UNAUTHORIZED` when its key was revoked or has expired since the request began
 */
export async function readBounds(
  trx: Knex,
  { apiKeyId, scopes, groups, actsFor }: Actor,
  { isLocked }: { isLocked: boolean },
): Promise<KeyBounds> {
  if (apiKeyId === null) return { scopes, groups, actsFor, expiresAt: null, kind: null };
  const keys = createApiKeyRepository(trx);
  const key = await (isLocked ? keys.findForShare(apiKeyId) : keys.findApiKey(apiKeyId));
  const problem = key ? findKeyProblem(key) : 'is not there any more';
  if (problem !== null) throw new HoldfastError('UNAUTHORIZED', `The API key ${problem}.`);
  return { scopes, groups, actsFor, expiresAt: key?.expiresAt ?? null, kind: key?.kind ?? null };
}

/**
 * Refuses a key with more rights than its creator, which could otherwise approve more than its creator or outlive it.
 * @throws HoldfastError `FORBIDDEN` with what is missing in `details`
 */
export function checkGiven(bounds: KeyBounds, key: BoundedKey): void {
  const { missingScopes, missingGroups, isOther, isLonger } = compare(bounds, key);
  if (missingScopes.length > 0) {
    const message = `The API key lacks the scopes ${missingScopes.join(', ')}, so it cannot give them to another.`;
    throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes } });
  }
  if (missingGroups.length > 0) {
    const message = `The API key is not in the groups ${missingGroups.join(', ')}, so it cannot put another into them.`;
    throw new HoldfastError('FORBIDDEN', message, { details: { missingGroups } });
  }
  if (isOther) {
    const message = `The API key acts for ${bounds.actsFor}, and so must the keys that it creates: send "actsFor".`;
    throw new HoldfastError('FORBIDDEN', message);
  }
  if (!isLonger) return;
  const { expiresAt } = bounds;
  const message = `The API key expires at ${expiresAt}, and so must the keys that it creates, or earlier.`;
  throw new HoldfastError('FORBIDDEN', message, { details: { expiresAt } });
}

/** Refuses to revoke a key that has more than the actor. @throws HoldfastError `FORBIDDEN` with the reasons */
export function checkTaken(bounds: KeyBounds, key: BoundedKey): void {
  const { missingScopes, missingGroups, isOther, isLonger } = compare(bounds, key);
  const reasons = [
    ...(missingScopes.length > 0 ? [`has the scopes ${missingScopes.join(', ')}`] : []),
    ...(missingGroups.length > 0 ? [`is in the groups ${missingGroups.join(', ')}`] : []),
    ...(isOther ? [`acts for ${key.actsFor ?? 'anybody'}`] : []),
    ...(isLonger ? [`expires ${key.expiresAt === null ? 'never' : `at ${key.expiresAt}`}`] : []),
  ];
  if (reasons.length === 0) return;
  const message = `Expected a key with no more than the API key of the request has, found one that ${reasons.join(', ')}.`;
  throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes, missingGroups } });
}

function compare(bounds: KeyBounds, { scopes, groups, actsFor, expiresAt }: BoundedKey) {
  const isLater = expiresAt === null || Date.parse(expiresAt) > Date.parse(bounds.expiresAt ?? expiresAt);
  return {
    missingScopes: scopes.filter((scope) => !bounds.scopes.includes(scope)),
    missingGroups: groups.filter((group) => !bounds.groups.includes(group)),
    isOther: actsForOther(bounds.actsFor, actsFor),
    isLonger: bounds.expiresAt !== null && isLater,
  };
}
