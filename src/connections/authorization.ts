import { createHash, randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import type { StoredConnection } from '../db/connections/connection-rows.ts';
import type { AuthorizationAnswer, AuthorizationRequest, Connection } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { ConnectionParts } from './connection-parts.ts';
import type { AuthorizationTarget } from './oauth/authorization-target.ts';
import { chooseClient } from './oauth/choose-client.ts';
import { findAuthorizationTarget, type CodeAuth } from './oauth/find-authorization-target.ts';
import { toText } from './oauth/oauth-failures.ts';
import { requestTokensForCode } from './oauth/token-requests.ts';
import { toPublicAuth } from './public-auth.ts';
import { connectionNotFound } from './refusals.ts';
import { openSecrets, sealSecrets, type Grant, type StoredSecrets } from './stored-secrets.ts';

/** How long a person may take to give consent, in milliseconds. */
const consentWithinMs = 10 * 60_000;

/** What has to be the same when the browser comes back; sealed in the meantime. */
interface PendingAuthorization {
  grant: Grant;
  namesIssuer: boolean;
  verifier: string;
  redirectUri: string;
  /** Of what the connection was when consent was asked for. */
  fingerprint: string;
}

/**
 * Begins an authorization code flow with PKCE: chooses the server and the client, and gives the address for the
 * browser.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT` for another kind of auth, `AUTHORIZATION_FAILED`
 */
export async function startAuthorization(
  parts: ConnectionParts,
  request: AuthorizationRequest,
): Promise<{ url: string }> {
  const { workspaceId, connectionId, redirectUri } = request;
  const stored = await parts.inWorkspace(workspaceId, ({ connections }) =>
    connections.findConnection(connectionId),
  );
  if (!stored) throw connectionNotFound(connectionId);
  const { connection } = stored;
  const secrets = openSecrets(parts.keyRing, { id: connection.id, ...stored });
  const auth = requireCodeAuth(connection, secrets);
  const fetch = parts.fetches.oauth;
  const target = await findAuthorizationTarget(fetch, { connection, auth, findProvider: parts.findProvider });
  // A server that refused its refresh may have lost the client that was registered with it.
  const before = connection.status === 'active' ? secrets.grant : undefined;
  const client = await chooseClient(fetch, { target, redirectUri, given: auth, before });
  const state = randomBytes(32).toString('base64url');
  const verifier = generateRandomCodeVerifier();
  const grant = toGrant(target, client);
  const fingerprint = toFingerprint(connection, secrets);
  await keep(parts, {
    request,
    state,
    pending: { grant, namesIssuer: target.namesIssuer, verifier, redirectUri, fingerprint },
  });
  const challenge = await calculatePKCECodeChallenge(verifier);
  return { url: toAuthorizationUrl(target, { grant, redirectUri, state, challenge }) };
}

function requireCodeAuth({ name }: Connection, { auth }: StoredSecrets): CodeAuth {
  if (auth.type === 'oauth2_authorization_code') return auth;
  throw new HoldfastError(
    'CONFLICT',
    `Connection ${name} has auth of type ${auth.type}; only oauth2_authorization_code is authorized in a browser.`,
  );
}

function toGrant(
  { issuer, tokenUrl, resource, scopes }: AuthorizationTarget,
  client: Pick<Grant, 'clientId' | 'clientAuthentication'>,
): Grant {
  return {
    issuer,
    tokenUrl,
    scopes: [...scopes],
    ...client,
    ...(resource === undefined ? {} : { resource }),
  };
}

/** Consent is for one endpoint and one client; when either was changed since, it is for nothing. */
function toFingerprint({ endpoint }: Connection, { auth }: StoredSecrets): string {
  return createHash('sha256')
    .update(JSON.stringify([endpoint, auth]))
    .digest('hex');
}

interface ToKeep {
  request: AuthorizationRequest;
  state: string;
  pending: PendingAuthorization;
}

async function keep(parts: ConnectionParts, { request, state, pending }: ToKeep): Promise<void> {
  const { workspaceId, connectionId } = request;
  const stateHash = hashState(state);
  const sealed = parts.keyRing.seal(JSON.stringify(pending), toSealContext(workspaceId, stateHash));
  const expiresAt = new Date(Date.now() + consentWithinMs);
  await parts.inWorkspace(workspaceId, ({ requests }) =>
    requests.create({ stateHash, connectionId, expiresAt, ...sealed }),
  );
}

function hashState(state: string): Buffer {
  return createHash('sha256').update(state).digest();
}

function toSealContext(workspaceId: string, stateHash: Buffer) {
  return { workspaceId, recordId: stateHash.toString('hex'), purpose: 'authorization' };
}

interface AuthorizationUrlParts {
  grant: Grant;
  redirectUri: string;
  state: string;
  challenge: string;
}

function toAuthorizationUrl(target: AuthorizationTarget, { grant, ...parts }: AuthorizationUrlParts): string {
  const url = new URL(target.authorizationUrl);
  const parameters = {
    ...target.parameters,
    response_type: 'code',
    client_id: grant.clientId,
    redirect_uri: parts.redirectUri,
    state: parts.state,
    code_challenge: parts.challenge,
    code_challenge_method: 'S256',
    ...(grant.scopes.length > 0 ? { scope: grant.scopes.join(' ') } : {}),
    ...(grant.resource === undefined ? {} : { resource: grant.resource }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Ends an authorization: changes the code for tokens and stores them with what was agreed on.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function finishAuthorization(
  parts: ConnectionParts,
  answer: AuthorizationAnswer,
): Promise<Connection> {
  const stateHash = hashState(answer.state);
  const request = await parts.takeAuthorizationRequest(stateHash);
  if (!request || request.expiresAt.getTime() <= Date.now()) {
    throw failed(
      'This authorization is not known, was used already, or took longer than 10 minutes. Begin again.',
    );
  }
  const { workspaceId, connectionId } = request;
  const opened = parts.keyRing.open(request.sealed, toSealContext(workspaceId, stateHash));
  const pending = JSON.parse(opened) as PendingAuthorization;
  if (answer.error !== undefined) {
    throw failed(`The authorization server refused: ${toText(answer.error, answer.errorDescription)}.`);
  }
  const tokens = await requestTokensForCode(parts.fetches.oauth, {
    ...pending,
    answer: toParameters(answer),
  });
  return parts.inWorkspace(workspaceId, async ({ connections, audit }) => {
    const stored = await connections.findConnectionForUpdate(connectionId);
    const before = stored && openSecrets(parts.keyRing, { id: connectionId, ...stored });
    if (!stored || !before || toFingerprint(stored.connection, before) !== pending.fingerprint) {
      throw failed('The connection was changed while it was being authorized. Begin again.');
    }
    const secrets = { auth: before.auth, grant: pending.grant, tokens };
    const { name, provider } = stored.connection;
    const { issuer, tokenUrl } = pending.grant;
    const payload = { name, provider, issuer, tokenUrl };
    await audit.record({ type: 'connection.authorized', subjectId: connectionId, payload });
    return connections.updateConnection(connectionId, {
      ...toSealedValues(parts, stored, secrets),
      status: 'active',
      statusReason: null,
    });
  });
}

function toSealedValues(
  parts: ConnectionParts,
  { connection, workspaceId }: StoredConnection,
  secrets: StoredSecrets,
) {
  return {
    auth: toPublicAuth(secrets, parts.maskSecret),
    secrets: sealSecrets(parts.keyRing, { id: connection.id, workspaceId }, secrets),
    expiresAt: secrets.tokens?.expiresAt === undefined ? null : new Date(secrets.tokens.expiresAt),
  };
}

function toParameters({ code, iss, state }: AuthorizationAnswer): URLSearchParams {
  return new URLSearchParams(
    Object.entries({ code, iss, state }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function failed(message: string): HoldfastError {
  return new HoldfastError('AUTHORIZATION_FAILED', message);
}
