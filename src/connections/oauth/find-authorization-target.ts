import type { Connection, ConnectionAuth } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import type { AuthorizationTarget } from './authorization-target.ts';
import { discoverAuthorizationServer } from './authorization-server.ts';
import { requireSecureUrl } from './oauth-request.ts';
import { findProtectedResource } from './protected-resource.ts';

/** The auth of a connection that a person consents to in a browser. */
export type CodeAuth = Extract<ConnectionAuth, { type: 'oauth2_authorization_code' }>;

interface TargetRequest {
  connection: Connection;
  auth: CodeAuth;
  findProvider: ConnectionParts['findProvider'];
}

const supported = { basic: ['client_secret_basic'], post: ['client_secret_post'] };

/**
 * Finds the authorization server of a connection: the one that its auth names, else the one that the definition of its
 * provider names, else the one that its MCP server names.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function findAuthorizationTarget(
  fetch: GuardedFetch,
  request: TargetRequest,
): Promise<AuthorizationTarget> {
  const { connection, auth } = request;
  const target = (await findWithoutAuth(fetch, request)) ?? toGivenTarget(auth);
  if (!target) {
    throw new HoldfastError(
      'AUTHORIZATION_FAILED',
      `Connection ${connection.name} has no known authorization server: give authorizationUrl and tokenUrl in its auth.`,
    );
  }
  const scopes = auth.scopes.length > 0 ? auth.scopes : target.scopes;
  return { ...target, ...toGivenUrls(auth), scopes };
}

async function findWithoutAuth(fetch: GuardedFetch, { connection, auth, findProvider }: TargetRequest) {
  if (auth.authorizationUrl !== undefined && auth.tokenUrl !== undefined) return undefined;
  const oauth = findProvider(connection.provider)?.auth.oauth;
  if (oauth) {
    const { authorizationUrl, tokenUrl, scopes, parameters = {}, clientAuthentication = 'basic' } = oauth;
    const clientAuthentications = supported[clientAuthentication];
    return {
      issuer: null,
      namesIssuer: false,
      authorizationUrl,
      tokenUrl,
      clientAuthentications,
      scopes,
      parameters,
    };
  }
  if (connection.provider !== 'mcp' || connection.endpoint === null) return undefined;
  const resource = await findProtectedResource(fetch, connection.endpoint);
  const target = await discoverAuthorizationServer(fetch, resource);
  requireOwnerForSecret(auth, connection.endpoint, target.tokenUrl);
  return target;
}

function toGivenTarget({ authorizationUrl, tokenUrl }: CodeAuth): AuthorizationTarget | undefined {
  if (authorizationUrl === undefined || tokenUrl === undefined) return undefined;
  return {
    issuer: null,
    namesIssuer: false,
    authorizationUrl,
    tokenUrl,
    clientAuthentications: supported.basic,
    scopes: [],
    parameters: {},
  };
}

function toGivenUrls({ authorizationUrl, tokenUrl }: CodeAuth) {
  return {
    ...(authorizationUrl === undefined
      ? {}
      : { authorizationUrl: requireSecureUrl(authorizationUrl, 'authorizationUrl').href }),
    ...(tokenUrl === undefined ? {} : { tokenUrl: requireSecureUrl(tokenUrl, 'tokenUrl').href }),
  };
}

/**
 * Refuses a token endpoint at another origin than the MCP server, which could otherwise have the client secret sent to
 * any host.
 */
function requireOwnerForSecret({ clientSecret, tokenUrl }: CodeAuth, endpoint: string, found: string): void {
  if (clientSecret === undefined || tokenUrl !== undefined) return;
  const { origin } = new URL(found);
  if (origin === new URL(endpoint).origin) return;
  throw new HoldfastError(
    'AUTHORIZATION_FAILED',
    `The MCP server names a token endpoint at ${origin}, to which the client secret would go. ` +
      'If that is right, give tokenUrl in the auth of the connection.',
  );
}
