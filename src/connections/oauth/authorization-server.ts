import { processDiscoveryResponse, type AuthorizationServer } from 'oauth4webapi';
import { HoldfastError } from '../../domain/errors.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import type { AuthorizationTarget } from './authorization-target.ts';
import { requestMetadata, requireSecureUrl } from './oauth-request.ts';
import type { ProtectedResource } from './protected-resource.ts';

/** The authentication methods that metadata without any has by default (RFC 8414, section 2). */
const defaultClientAuthentications = ['client_secret_basic'];

/**
 * Finds the endpoints of the authorization server of a resource by RFC 8414 or OpenID Connect Discovery.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when there is no usable metadata, or no PKCE with S256
 */
export async function discoverAuthorizationServer(
  fetch: GuardedFetch,
  { resource, issuer, scopes }: ProtectedResource,
): Promise<AuthorizationTarget> {
  const server = await findMetadata(fetch, requireSecureUrl(issuer, 'issuer of the authorization server'));
  const origin = new URL(issuer).origin;
  if (!server) throw failed(`The authorization server at ${origin} has no metadata (RFC 8414).`);
  const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = server;
  if (authorizationUrl === undefined || tokenUrl === undefined) {
    throw failed(`The authorization server at ${origin} does not name its endpoints.`);
  }
  if (!toList(server.code_challenge_methods_supported).includes('S256')) {
    throw failed(`The authorization server at ${origin} does not support PKCE with S256.`);
  }
  return {
    issuer: server.issuer,
    namesIssuer: server.authorization_response_iss_parameter_supported === true,
    authorizationUrl: requireSecureUrl(authorizationUrl, 'authorization endpoint').href,
    tokenUrl: requireSecureUrl(tokenUrl, 'token endpoint').href,
    ...(server.registration_endpoint === undefined ? {} : { registrationUrl: server.registration_endpoint }),
    clientAuthentications: toList(
      server.token_endpoint_auth_methods_supported ?? defaultClientAuthentications,
    ),
    resource,
    scopes,
    parameters: {},
  };
}

/** Keeps the strings of a list in metadata, whose types the library does not check. */
function toList(named: unknown): string[] {
  return Array.isArray(named) ? named.filter((one) => typeof one === 'string') : [];
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
