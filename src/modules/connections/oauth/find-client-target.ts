import type { Connection, ConnectionAuth } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { fillUrlVariables } from '../../../domain/url-variables.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import type { ConnectionParts } from '../connection-parts.ts';
import { discoverTokenEndpoint } from './authorization-server.ts';
import type { TokenTarget } from './authorization-target.ts';
import { supported } from './find-authorization-target.ts';
import { findProtectedResource } from './protected-resource.ts';
import { requireOwnerForSecret, toResource } from './resource-owner.ts';

/** The auth of a connection that gets tokens for the client itself. */
export type ClientCredentials = Extract<ConnectionAuth, { type: 'oauth2_client_credentials' }>;

/** Where and for what a client requests its tokens. */
export interface ClientTarget extends TokenTarget {
  /** The resource that the tokens are for (RFC 8707); null for none. */
  resource: string | null;
  scopes: readonly string[];
  /** Another grant than `client_credentials`, with its parameters. */
  grant?: { type: string; parameters: Readonly<Record<string, string>> };
}

interface ClientRequest {
  connection: Connection;
  auth: ClientCredentials;
  findProvider: ConnectionParts['findProvider'];
}

/**
 * Finds the token endpoint of a client: the one that its auth gives, else the one of the issuer that its auth gives, else
 * the one of its provider, else the one of the authorization server that the MCP server names.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function findClientTarget(fetch: GuardedFetch, request: ClientRequest): Promise<ClientTarget> {
  const { connection, auth } = request;
  const { scopes, tokenUrl, issuer } = auth;
  const given = { resource: toResource(connection, auth), scopes };
  const known = await findKnownTarget(request);
  if (tokenUrl !== undefined) return { ...known, issuer: issuer ?? null, tokenUrl, ...given };
  if (issuer !== undefined) return { ...(await discoverTokenEndpoint(fetch, issuer)), ...given };
  if (known.tokenUrl !== undefined) return { ...known, tokenUrl: known.tokenUrl, issuer: null, ...given };
  if (connection.endpoint === null) throw createUnknownServer(connection);
  const found = await findProtectedResource(fetch, connection.endpoint);
  const target = await discoverTokenEndpoint(fetch, found.issuer);
  requireOwnerForSecret(auth, connection.endpoint, target.tokenUrl);
  return {
    ...target,
    resource: auth.resource === undefined ? found.resource : auth.resource,
    scopes: scopes.length > 0 ? scopes : found.scopes,
  };
}

type KnownTarget = Pick<ClientTarget, 'clientAuthentications' | 'grant'> & { tokenUrl?: string };

/** Returns the facts of the provider about its token endpoint. */
async function findKnownTarget({ connection, findProvider }: ClientRequest): Promise<KnownTarget> {
  const provider = await findProvider(connection.provider);
  const oauth = provider?.auth.oauth;
  if (!oauth) return { clientAuthentications: supported.basic };
  const fill = (text: string) => fillUrlVariables(text, provider.variables, connection.variables);
  const { tokenUrl, clientAuthentication = 'basic', clientGrant } = oauth;
  const known = { tokenUrl: fill(tokenUrl), clientAuthentications: supported[clientAuthentication] };
  if (!clientGrant) return known;
  const parameters = Object.entries(clientGrant.parameters).map(([name, text]): [string, string] => [
    name,
    fill(text),
  ]);
  return { ...known, grant: { type: clientGrant.type, parameters: Object.fromEntries(parameters) } };
}

function createUnknownServer({ name }: Connection): HoldfastError {
  const message = `Connection ${name} has no known authorization server: give tokenUrl or issuer in its auth.`;
  return new HoldfastError('AUTHORIZATION_FAILED', message);
}
