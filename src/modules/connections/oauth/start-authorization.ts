import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import type { Actor } from '../../../domain/actor.ts';
import type { Connection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { ConnectionDependencies } from '../connection-dependencies.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import type { AuthorizationTarget } from './authorization-target.ts';
import { chooseClient } from './choose-client.ts';
import { findAuthorizationTarget, type CodeAuth } from './find-authorization-target.ts';
import {
  hashState,
  toFingerprint,
  toPendingContext,
  type PendingAuthorization,
} from './pending-authorization.ts';
import { findProviderFacts } from '../find-provider-facts.ts';
import { connectionNotFound } from './refusals.ts';
import { openSecrets, type Grant, type StoredSecrets } from '../secrets/stored-secrets.ts';

/** The path under the public URL to which authorization servers send browsers back. */
export const authorizationCallbackPath = '/api/oauth/callback';

/** The path under the public URL at which a browser starts; the query has the id of the authorization as `request`. */
export const authorizationStartPath = '/api/oauth/start';

/** How long a person may take to give consent, in milliseconds. */
const consentWithinMs = 10 * 60_000;

interface AuthorizationStart {
  connectionId: string;
  /** An http or https URL that the last page links to. */
  returnUrl?: string | undefined;
}

/**
 * Starts an authorization code flow with PKCE: chooses the server and the client, and returns the URL to open in a
 * browser. It leads over `authorizationStartPath`, which binds the flow to that browser.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT` for another type of auth, `AUTHORIZATION_FAILED`
 */
export async function startAuthorization(
  {
    connections: parts,
    publicUrl,
    clientMetadataUrl,
  }: Pick<ConnectionDependencies, 'connections' | 'publicUrl' | 'clientMetadataUrl'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { connectionId, returnUrl }: AuthorizationStart,
): Promise<{ url: string }> {
  const redirectUri = `${publicUrl()}${authorizationCallbackPath}`;
  const stored = await parts.inWorkspace(workspaceId, ({ connections }) =>
    connections.findConnection(connectionId),
  );
  if (!stored) throw connectionNotFound(connectionId);
  const { connection } = stored;
  const secrets = openSecrets(parts.keyRing, { id: connection.id, ...stored });
  const auth = requireCodeAuth(connection, secrets);
  const fetch = parts.fetches.oauth;
  const { grant: earlier, wantedScopes } = secrets;
  const provider = await findProviderFacts(parts, { workspaceId, name: connection.provider });
  const target = await findAuthorizationTarget(fetch, { connection, auth, provider, wantedScopes });
  // A server that refused its refresh may have lost the client that was registered with it.
  const before = connection.status === 'active' || wantedScopes !== undefined ? earlier : undefined;
  const metadataUrl = clientMetadataUrl();
  const client = await chooseClient(fetch, { target, redirectUri, metadataUrl, given: auth, before });
  const verifier = generateRandomCodeVerifier();
  const challenge = await calculatePKCECodeChallenge(verifier);
  const grant = toGrant(target, client);
  const id = randomBytes(32).toString('base64url');
  const pending = {
    ...{ grant, namesIssuer: target.namesIssuer, verifier, redirectUri },
    fingerprint: toFingerprint(connection, secrets),
    authorizationUrl: toAuthorizationUrl(target, { grant, redirectUri, challenge }),
    ...(returnUrl === undefined ? {} : { returnUrl }),
  };
  await storePending(parts, { workspaceId, connectionId, id, pending });
  return { url: `${publicUrl()}${authorizationStartPath}?request=${id}` };
}

function requireCodeAuth({ name }: Connection, { auth }: StoredSecrets): CodeAuth {
  if (auth.type === 'oauth2_authorization_code') return auth;
  throw new HoldfastError(
    'CONFLICT',
    `Connection ${name} has auth of type ${auth.type}; only oauth2_authorization_code is authorized in a browser.`,
  );
}

function toGrant(
  { issuer, tokenUrl, refreshUrl, resource, scopes }: AuthorizationTarget,
  client: Pick<Grant, 'clientId' | 'clientAuthentication'>,
): Grant {
  return {
    issuer,
    tokenUrl,
    scopes: [...scopes],
    ...client,
    ...(refreshUrl === undefined ? {} : { refreshUrl }),
    ...(resource === undefined ? {} : { resource }),
  };
}

interface PendingToStore {
  workspaceId: string;
  connectionId: string;
  id: string;
  pending: PendingAuthorization;
}

async function storePending(
  { keyRing, inWorkspace }: ConnectionParts,
  { workspaceId, connectionId, id, pending }: PendingToStore,
): Promise<void> {
  const stateHash = hashState(id);
  const sealed = keyRing.seal(JSON.stringify(pending), toPendingContext(workspaceId, stateHash));
  const expiresAt = new Date(Date.now() + consentWithinMs);
  await inWorkspace(workspaceId, ({ requests }) =>
    requests.create({ stateHash, connectionId, expiresAt, ...sealed }),
  );
}

interface AuthorizationUrlParts {
  grant: Grant;
  redirectUri: string;
  challenge: string;
}

function toAuthorizationUrl(target: AuthorizationTarget, { grant, ...parts }: AuthorizationUrlParts): string {
  const url = new URL(target.authorizationUrl);
  const parameters = {
    ...target.parameters,
    response_type: 'code',
    client_id: grant.clientId,
    redirect_uri: parts.redirectUri,
    code_challenge: parts.challenge,
    code_challenge_method: 'S256',
    ...(grant.scopes.length > 0 ? { scope: grant.scopes.join(target.scopeSeparator ?? ' ') } : {}),
    ...(grant.resource === undefined ? {} : { resource: grant.resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
