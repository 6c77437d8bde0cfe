import { createHash } from 'node:crypto';
import type { Connection } from '../../../domain/connection.ts';
import type { AuthorizationRequest } from './authorization-request-repository.ts';
import type { KeyRing, SealContext } from '../../../platform/secrets/key-ring.ts';
import type { Grant, StoredSecrets } from '../secrets/stored-secrets.ts';

/** The state of an authorization between its start and the redirect of the browser; stored sealed. */
export interface PendingAuthorization {
  grant: Grant;
  namesIssuer: boolean;
  verifier: string;
  redirectUri: string;
  /** The address at the authorization server, without `state`. */
  authorizationUrl: string;
  /** The address that the person may go back to at the end. */
  returnUrl?: string;
  /** `toFingerprint` of the connection when the authorization was started. */
  fingerprint: string;
}

/** SHA-256 of the endpoint, the variables and the auth: consent that was given for one of these is not consent for another. */
export function toFingerprint({ endpoint, variables }: Connection, { auth }: StoredSecrets): string {
  return createHash('sha256')
    .update(JSON.stringify([endpoint, variables, auth]))
    .digest('hex');
}

/** SHA-256 of the id of a pending authorization, under which it is stored. */
export function hashState(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

/** Opens the sealed state of a pending authorization. */
export function openPending(keyRing: KeyRing, request: AuthorizationRequest): PendingAuthorization {
  const { sealed, workspaceId, stateHash } = request;
  return JSON.parse(keyRing.open(sealed, toPendingContext(workspaceId, stateHash))) as PendingAuthorization;
}

/** The context under which a pending authorization is sealed. */
export function toPendingContext(workspaceId: string, stateHash: Buffer): SealContext {
  return { workspaceId, recordId: stateHash.toString('hex'), purpose: 'authorization' };
}
