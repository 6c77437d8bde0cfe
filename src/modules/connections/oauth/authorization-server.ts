import { processDiscoveryResponse, type AuthorizationServer } from 'oauth4webapi';
import { HoldfastError } from '../../../domain/errors.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import type { AuthorizationTarget, TokenTarget } from './authorization-target.ts';
import { requestMetadata, requireSecureUrl } from './oauth-request.ts';

/** The authentication methods that metadata without any has by default (RFC 8414, section 2). */
const defaultClientAuthentications = ['client_secret_basic'];

/** The scope of refresh tokens (OpenID Connect Core, section 11), and the parameter that it needs there. */
const offlineAccess = 'offline_access';
const offlineParameters = { prompt: 'consent' };

/** The resource and the scopes to request tokens for, as the MCP server names them or the owner gives them. */
interface Wanted {
  /** The resource that the tokens are for (RFC 8707). */
  resource?: string | undefined;
  scopes: readonly string[];
}

/**
 * Finds the endpoints of an authorization server for a flow with a person, by RFC 8414 or OpenID Connect Discovery.
 * Where the server offers refresh tokens for the scope `offline_access`, that is added to the scopes.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when there is no usable metadata, or no PKCE with S256
 */
export async function discoverAuthorizationServer(
  fetch: GuardedFetch,
  issuer: string,
  { resource, scopes }: Wanted,
): Promise<AuthorizationTarget> {
  const server = await getMetadata(fetch, issuer);
  const { origin } = new URL(issuer);
  if (server.authorization_endpoint === undefined) {
    throw failed(`The authorization server at ${origin} does not name its endpoints.`);
  }
  if (!toList(server.code_challenge_methods_supported).includes('S256')) {
    throw failed(`The authorization server at ${origin} does not support PKCE with S256.`);
  }
  const isOffline = scopes.length > 0 && toList(server.scopes_supported).includes(offlineAccess);
  return {
    ...toTokenTarget(server, origin),
    namesIssuer: server.authorization_response_iss_parameter_supported === true,
    authorizationUrl: requireSecureUrl(server.authorization_endpoint, 'authorization endpoint').href,
    ...(server.registration_endpoint === undefined ? {} : { registrationUrl: server.registration_endpoint }),
    readsClientMetadata: server['client_id_metadata_document_supported'] === true,
    ...(resource === undefined ? {} : { resource }),
    scopes: isOffline ? [...new Set([...scopes, offlineAccess])] : scopes,
    parameters: isOffline ? offlineParameters : {},
  };
}

/**
 * Finds the token endpoint of an authorization server, by RFC 8414 or OpenID Connect Discovery.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when there is no usable metadata
 */
export async function discoverTokenEndpoint(fetch: GuardedFetch, issuer: string): Promise<TokenTarget> {
  return toTokenTarget(await getMetadata(fetch, issuer), new URL(issuer).origin);
}

function toTokenTarget(server: AuthorizationServer, origin: string): TokenTarget {
  if (server.token_endpoint === undefined) {
    throw failed(`The authorization server at ${origin} does not name its endpoints.`);
  }
  return {
    issuer: server.issuer,
    tokenUrl: requireSecureUrl(server.token_endpoint, 'token endpoint').href,
    clientAuthentications: toList(
      server.token_endpoint_auth_methods_supported ?? defaultClientAuthentications,
    ),
  };
}

/** Keeps the strings of a list in metadata, whose types the library does not check. */
function toList(named: unknown): string[] {
  return Array.isArray(named) ? named.filter((one) => typeof one === 'string') : [];
}

async function getMetadata(fetch: GuardedFetch, issuer: string): Promise<AuthorizationServer> {
  const server = await findMetadata(fetch, requireSecureUrl(issuer, 'issuer of the authorization server'));
  if (server) return server;
  throw failed(`The authorization server at ${new URL(issuer).origin} has no metadata (RFC 8414).`);
}

async function findMetadata(fetch: GuardedFetch, issuer: URL): Promise<AuthorizationServer | undefined> {
  for (const url of listPlaces(issuer)) {
    try {
      return await processDiscoveryResponse(issuer, await requestMetadata(fetch, url));
    } catch (error) {
      if (error instanceof HoldfastError) throw error;
    }
  }
  return undefined;
}

/** Lists the well-known URLs in the order that the MCP specification requires. */
function listPlaces(issuer: URL): URL[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const places = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
  ];
  if (path !== '') places.push(`${path}/.well-known/openid-configuration`);
  // Joined as text, since `new URL(place, origin)` would read a path that begins with two slashes as another host.
  return places.map((place) => new URL(issuer.origin + place));
}

function failed(message: string): HoldfastError {
  return new HoldfastError('AUTHORIZATION_FAILED', message);
}
