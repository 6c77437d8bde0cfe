import type { ConnectionAuth } from '../../../domain/connection.ts';
import { findChallengeParameter, readScopes } from './challenge.ts';
import type { StoredSecrets } from '../secrets/stored-secrets.ts';

/** The reason for which credentials were refused, and the scopes that a new consent has to ask for. */
interface Refusal {
  reason: string;
  wantedScopes?: string[];
}

const longestList = 300;

/**
 * Returns whether a response refuses the credentials of its request for good: with 401, or with 403 for want of scopes
 * that were not granted (`insufficient_scope`, RFC 6750, section 3.1). Scopes that were granted already would be
 * refused again after another consent, so that is no reason to connect again.
 */
export function findRefusal({ status, headers }: Response, secrets: StoredSecrets): Refusal | null {
  if (status === 401)
    return { reason: `Its server refused the credentials (HTTP 401). ${toAdvice(secrets.auth)}` };
  const challenge = status === 403 ? headers.get('www-authenticate') : null;
  if (challenge === null || findChallengeParameter(challenge, 'error') !== 'insufficient_scope') return null;
  return findMissingScopes(readScopes(findChallengeParameter(challenge, 'scope')?.split(' ')), secrets);
}

function toAdvice({ type }: ConnectionAuth): string {
  return type === 'oauth2_authorization_code' ? 'Authorize it again.' : 'Give it new auth.';
}

function findMissingScopes(asked: string[], { auth, grant, tokens }: StoredSecrets): Refusal | null {
  const isClient = auth.type === 'oauth2_client_credentials';
  if (!isClient && auth.type !== 'oauth2_authorization_code') return null;
  const requested = isClient ? auth.scopes : (grant?.scopes ?? []);
  const granted = new Set(tokens?.scopes ?? requested);
  const missing = asked.filter((scope) => !granted.has(scope));
  if (missing.length === 0) return null;
  const names = missing.join(' ').slice(0, longestList);
  if (isClient) return { reason: `Its server wants more scopes: ${names}. Give auth with these scopes too.` };
  return {
    reason: `Its server wants more scopes: ${names}. Authorize it again to grant them.`,
    wantedScopes: [...new Set([...requested, ...granted, ...asked])],
  };
}
