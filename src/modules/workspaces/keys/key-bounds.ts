import type { Knex } from 'knex';
import { createApiKeyRepository } from './api-key-repository.ts';
import type { Actor, Rights } from '../../../domain/actor.ts';
import type { ApiKey } from '../../../domain/api-key.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { actsForOther } from '../../../domain/person.ts';
import { toQuery } from '../../../platform/database/statement.ts';
import { findCredential, mostLinks, type CredentialKind } from './credential-repository.ts';

/** The maximum that a key may have that an actor makes or revokes: the rights of the actor, until the actor's end. */
interface KeyBounds extends Rights {
  /** ISO 8601; null for an actor that does not expire. */
  expiresAt: string | null;
  /** Null for an operator. */
  kind: CredentialKind | null;
  /** How many links the chain of makers has that ends with the actor. */
  links: number;
}

type BoundedKey = Pick<Rights, 'scopes' | 'groups' | 'actsFor'> & Pick<ApiKey, 'expiresAt'>;

/**
 * Reads the bounds of an actor. With `isLocked` its key is not revoked before the transaction ends. A transaction that
 * changes other keys does not lock it: two keys that revoke each other would wait for each other.
 * @throws HoldfastError `UNAUTHORIZED` when its key was revoked or has expired since the request began
 */
export async function readBounds(
  trx: Knex,
  { apiKeyId, scopes, groups, actsFor, reach }: Actor,
  { isLocked }: { isLocked: boolean },
): Promise<KeyBounds> {
  const rights = { scopes, groups, actsFor, reach };
  if (apiKeyId === null) return { ...rights, expiresAt: null, kind: null, links: 0 };
  if (isLocked) await createApiKeyRepository(trx).lockForShare(apiKeyId);
  const key = await findCredential(toQuery(trx), apiKeyId);
  const problem = key ? key.problem : 'is not there any more';
  if (problem !== null) throw new HoldfastError('UNAUTHORIZED', `The API key ${problem}.`);
  return { ...rights, expiresAt: key?.expiresAt ?? null, kind: key?.kind ?? null, links: key?.links ?? 0 };
}

/**
 * Refuses a key with more rights than its creator, which could otherwise approve more than its creator or outlive it.
 * @throws HoldfastError `FORBIDDEN` with what is missing in `details`
 */
export function checkGiven(bounds: KeyBounds, key: BoundedKey): void {
  if (bounds.links >= mostLinks) {
    const message = `The API key is at the end of a chain of ${mostLinks} keys, each made by the one before, and makes no more.`;
    throw new HoldfastError('FORBIDDEN', message, { details: { most: mostLinks } });
  }
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

/**
 * Refuses to deactivate a person, to let one in again and to end a token of another key, when these may do more than the actor.
 * Their groups and their end do not count: who runs a workspace is in no group of approvers.
 * @throws HoldfastError `FORBIDDEN` with the reasons
 */
export function checkManaged(bounds: Rights, managed: Rights): void {
  const missingScopes = managed.scopes.filter((scope) => !bounds.scopes.includes(scope));
  const isOwn = bounds.reach === 'own';
  const reasons = [
    ...(missingScopes.length > 0 ? [`has the scopes ${missingScopes.join(', ')}`] : []),
    ...(isOwn && managed.reach === 'workspace' ? ['sees the workspace'] : []),
    ...(isOwn && actsForOther(bounds.actsFor, managed.actsFor) ? ['is another person'] : []),
  ];
  if (reasons.length === 0) return;
  const message = `Expected somebody with no more than the API key of the request has, found one who ${reasons.join(', ')}.`;
  throw new HoldfastError('FORBIDDEN', message, { details: { missingScopes } });
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
