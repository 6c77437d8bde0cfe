import { createHash } from 'node:crypto';
import type { Connection } from '../domain/connection.ts';
import type { SealContext } from '../secrets/key-ring.ts';
import type { Grant, StoredSecrets } from './stored-secrets.ts';

/** The state of an authorization between its start and the redirect of the browser; stored sealed. */
export interface PendingAuthorization {
  grant: Grant;
  namesIssuer: boolean;
  verifier: string;
  redirectUri: string;
  /** `toFingerprint` of the connection when the authorization was started. */
  fingerprint: string;
}

/** SHA-256 of the endpoint and the auth: consent that was given for one of these is not consent for another. */
export function toFingerprint({ endpoint }: Connection, { auth }: StoredSecrets): string {
  return createHash('sha256')
    .update(JSON.stringify([endpoint, auth]))
    .digest('hex');
}

/** SHA-256 of the `state` parameter, under which a pending authorization is stored. */
export function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

/** The context under which a pending authorization is sealed. */
export function toPendingContext(workspaceId: string, stateHash: Buffer): SealContext {
  return { workspaceId, recordId: stateHash.toString('hex'), purpose: 'authorization' };
}
