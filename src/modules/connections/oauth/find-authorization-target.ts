import type { Connection, ConnectionAuth } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import { listWantedScopes } from '../../../domain/scopes.ts';
import { fillUrlVariables } from '../../../domain/url-variables.ts';
import type { ProviderFacts } from '../connection-parts.ts';
import type { AuthorizationTarget } from './authorization-target.ts';
import { discoverAuthorizationServer } from './authorization-server.ts';
import { requireSecureUrl } from './oauth-request.ts';
import { findProtectedResource } from './protected-resource.ts';
import { requireOwnerForSecret, toResource } from './resource-owner.ts';

/** The auth of a connection that a person consents to in a browser. */
export type CodeAuth = Extract<ConnectionAuth, { type: 'oauth2_authorization_code' }>;

interface TargetRequest {
  connection: Connection;
  auth: CodeAuth;
  provider: ProviderFacts | undefined;
  /** The scopes of the next consent, when the server has asked for more than were granted. */
  wantedScopes?: readonly string[] | undefined;
}

/** The names of RFC 8414 for how a client sends its secret. */
export const supported = { basic: ['client_secret_basic'], post: ['client_secret_post'] };

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
  const target = toGivenTarget(request) ?? (await findTarget(fetch, request));
  if (!target) {
    throw new HoldfastError(
      'AUTHORIZATION_FAILED',
      `Connection ${connection.name} has no known authorization server: give issuer, or authorizationUrl and tokenUrl, ` +
        'in its auth.',
    );
  }
  return { ...target, ...toGivenUrls(auth) };
}

async function findTarget(
  fetch: GuardedFetch,
  request: TargetRequest,
): Promise<AuthorizationTarget | undefined> {
  const { connection, auth, provider } = request;
  const oauth = provider?.auth.oauth;
  if (oauth) {
    const fill = (url: string) => fillUrlVariables(url, provider.variables, connection.variables);
    const { authorizationUrl, tokenUrl, refreshUrl, parameters = {}, clientAuthentication = 'basic' } = oauth;
    return {
      issuer: null,
      namesIssuer: false,
      authorizationUrl: fill(authorizationUrl),
      tokenUrl: fill(tokenUrl),
      clientAuthentications: supported[clientAuthentication],
      scopes: chooseScopes(
        request,
        listWantedScopes(oauth.scopes, provider.operations ?? {}, auth.operations),
      ),
      ...(refreshUrl === undefined ? {} : { refreshUrl: fill(refreshUrl) }),
      ...(oauth.scopeSeparator === undefined ? {} : { scopeSeparator: oauth.scopeSeparator }),
      parameters,
      ...withResource(auth.resource),
    };
  }
  if (connection.provider === 'mcp' && connection.endpoint !== null) {
    return findForServer(fetch, { ...request, endpoint: connection.endpoint });
  }
  if (auth.issuer === undefined) return undefined;
  const scopes = chooseScopes(request, []);
  return discoverAuthorizationServer(fetch, auth.issuer, { scopes, ...withResource(auth.resource) });
}

async function findForServer(
  fetch: GuardedFetch,
  { endpoint, ...request }: TargetRequest & { endpoint: string },
): Promise<AuthorizationTarget> {
  const { auth } = request;
  const found = await findProtectedResource(fetch, endpoint);
  const target = await discoverAuthorizationServer(fetch, auth.issuer ?? found.issuer, {
    scopes: chooseScopes(request, found.scopes),
    ...withResource(auth.resource === undefined ? found.resource : auth.resource),
  });
  requireOwnerForSecret(auth, endpoint, target.tokenUrl);
  return target;
}

/** Returns the scopes to ask for: those that a server wanted in addition, else the owner's, else the usual ones. */
function chooseScopes({ auth, wantedScopes }: TargetRequest, usual: readonly string[]): readonly string[] {
  if (wantedScopes !== undefined) return [...new Set([...auth.scopes, ...wantedScopes])];
  return auth.scopes.length > 0 ? auth.scopes : usual;
}

function toGivenTarget(request: TargetRequest): AuthorizationTarget | undefined {
  const { auth, connection } = request;
  const { authorizationUrl, tokenUrl } = auth;
  if (authorizationUrl === undefined || tokenUrl === undefined) return undefined;
  return {
    issuer: null,
    namesIssuer: false,
    authorizationUrl,
    tokenUrl,
    clientAuthentications: supported.basic,
    scopes: chooseScopes(request, []),
    parameters: {},
    ...withResource(toResource(connection, auth)),
  };
}

function withResource(resource: string | null | undefined): { resource?: string } {
  return resource === undefined || resource === null ? {} : { resource };
}

function toGivenUrls({ authorizationUrl, tokenUrl }: CodeAuth) {
  return {
    ...(authorizationUrl === undefined
      ? {}
      : { authorizationUrl: requireSecureUrl(authorizationUrl, 'authorizationUrl').href }),
    ...(tokenUrl === undefined ? {} : { tokenUrl: requireSecureUrl(tokenUrl, 'tokenUrl').href }),
  };
}
