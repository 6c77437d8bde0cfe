import { dynamicClientRegistrationRequest, processDynamicClientRegistrationResponse } from 'oauth4webapi';
import { HoldfastError } from '../../../domain/errors.ts';
import { parseJsonObject } from '../../../domain/json.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import type { Grant } from '../secrets/stored-secrets.ts';
import type { AuthorizationTarget } from './authorization-target.ts';
import { chooseSecretMethod } from './client-authentication.ts';
import { toClientMetadata } from './client-metadata.ts';
import { toOAuthFailure } from './oauth-failures.ts';
import { requireSecureUrl, toRequestOptions } from './oauth-request.ts';

/** The OAuth client as which Holdfast appears to an authorization server. */
type OAuthClient = Pick<Grant, 'clientId' | 'clientSecret' | 'clientAuthentication' | 'registeredFor'>;

interface ClientRequest {
  target: AuthorizationTarget;
  redirectUri: string;
  /** Where authorization servers read the metadata of Holdfast as a client. */
  metadataUrl: string;
  /** The client of the connection's auth, if it has one. */
  given: { clientId?: string | undefined; clientSecret?: string | undefined };
  /** The grant of an earlier authorization, whose client may be used again. */
  before: Grant | undefined;
}

/**
 * Chooses the client that the owner gave, else the URL of the metadata document where the server reads such documents,
 * else the client that was registered before, else registers one (RFC 7591).
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function chooseClient(fetch: GuardedFetch, request: ClientRequest): Promise<OAuthClient> {
  const { target, redirectUri, metadataUrl, given, before } = request;
  if (given.clientId !== undefined) return toGivenClient(given.clientId, given.clientSecret, target);
  // A client id that is a URL has to be one of https (draft-ietf-oauth-client-id-metadata-document, section 3).
  if (target.readsClientMetadata === true && metadataUrl.startsWith('https://')) {
    return { clientId: metadataUrl, clientAuthentication: 'none' };
  }
  if (before !== undefined && isRegisteredHere(before, target, redirectUri)) return toClient(before);
  if (target.registrationUrl !== undefined) {
    return registerClient(fetch, { url: target.registrationUrl, target, redirectUri });
  }
  throw new HoldfastError(
    'AUTHORIZATION_FAILED',
    'The authorization server registers no clients by itself. Register one there with the redirect URI ' +
      `${redirectUri} and give its clientId in the connection's auth.`,
  );
}

function toGivenClient(
  clientId: string,
  clientSecret: string | undefined,
  { clientAuthentications }: AuthorizationTarget,
): OAuthClient {
  if (clientSecret === undefined) return { clientId, clientAuthentication: 'none' };
  return { clientId, clientSecret, clientAuthentication: chooseSecretMethod(clientAuthentications) };
}

function isRegisteredHere(before: Grant, target: AuthorizationTarget, redirectUri: string): boolean {
  return (
    before.registeredFor === redirectUri &&
    before.issuer === target.issuer &&
    before.tokenUrl === target.tokenUrl
  );
}

function toClient({ clientId, clientSecret, clientAuthentication, registeredFor }: Grant): OAuthClient {
  return {
    clientId,
    clientAuthentication,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(registeredFor === undefined ? {} : { registeredFor }),
  };
}

const methods = { none: 'none', client_secret_post: 'post', client_secret_basic: 'basic' } as const;
type Method = keyof typeof methods;

interface Registration {
  url: string;
  target: AuthorizationTarget;
  redirectUri: string;
}

async function registerClient(
  fetch: GuardedFetch,
  { url, target, redirectUri }: Registration,
): Promise<OAuthClient> {
  const wanted = chooseMethod(target.clientAuthentications);
  const server = {
    issuer: target.issuer ?? new URL(url).origin,
    registration_endpoint: requireSecureUrl(url, 'registration endpoint').href,
  };
  const metadata = { ...toClientMetadata(redirectUri), token_endpoint_auth_method: wanted };
  const send = (more: object) =>
    dynamicClientRegistrationRequest(server, { ...metadata, ...more }, toRequestOptions(fetch));
  try {
    const response = await sendWithScopes(target.scopes, send);
    const client = await processDynamicClientRegistrationResponse(await withSecretExpiry(response));
    const method = toMethod(client.token_endpoint_auth_method) ?? wanted;
    const clientSecret = method === 'none' ? undefined : client.client_secret;
    return {
      clientId: client.client_id,
      clientAuthentication: methods[method],
      ...(typeof clientSecret === 'string' ? { clientSecret } : {}),
      registeredFor: redirectUri,
    };
  } catch (error) {
    throw toOAuthFailure(error, { url, secrets: [] });
  }
}

/**
 * Sends a registration with the scopes of the client: servers of the Python MCP SDK refuse scopes that a client was not
 * registered with. Sends it without them when it is refused: Keycloak registers only scopes that its policy allows.
 */
async function sendWithScopes(
  scopes: readonly string[],
  send: (more: object) => Promise<Response>,
): Promise<Response> {
  if (scopes.length === 0) return send({});
  const response = await send({ scope: scopes.join(' ') });
  if (response.status < 400 || response.status >= 500) return response;
  await response.body?.cancel();
  return send({});
}

/**
 * Adds the time at which a secret expires to an answer without one: RFC 7591 requires it, common servers leave it out,
 * and the library refuses such an answer. 0 means that the secret does not expire.
 */
async function withSecretExpiry(response: Response): Promise<Response> {
  if (response.status !== 201) return response;
  const { status, headers } = response;
  const text = await response.text();
  const body = parseJsonObject(text);
  if (body?.['client_secret'] === undefined || body['client_secret_expires_at'] !== undefined) {
    return new Response(text, { status, headers });
  }
  return new Response(JSON.stringify({ ...body, client_secret_expires_at: 0 }), { status, headers });
}

/**
 * Prefers a client without a secret: with PKCE it is as safe, and no secret has to be stored. A secret is sent in the form
 * where both ways are offered: servers disagree whether Basic authentication leaves `client_id` in the form.
 */
function chooseMethod(supported: readonly string[]): Method {
  const known = Object.keys(methods) as Method[];
  return known.find((method) => supported.includes(method)) ?? 'client_secret_basic';
}

function toMethod(name: unknown): Method | undefined {
  return typeof name === 'string' && Object.hasOwn(methods, name) ? (name as Method) : undefined;
}
