import type { Connection, ConnectionAuth } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import { discoverTokenEndpoint } from './authorization-server.ts';
import type { TokenTarget } from './authorization-target.ts';
import { findProtectedResource } from './protected-resource.ts';
import { requireOwnerForSecret, toResource } from './resource-owner.ts';

/** The auth of a connection that gets tokens for the client itself. */
export type ClientCredentials = Extract<ConnectionAuth, { type: 'oauth2_client_credentials' }>;

/** Where and for what a client requests its tokens. */
export interface ClientTarget extends TokenTarget {
  /** The resource that the tokens are for (RFC 8707); null for none. */
  resource: string | null;
  scopes: readonly string[];
}

/**
 * Finds the token endpoint of a client: the one that its auth gives, else the one of the issuer that its auth gives,
 * else the one of the authorization server that the MCP server names.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export async function findClientTarget(
  fetch: GuardedFetch,
  connection: Connection,
  auth: ClientCredentials,
): Promise<ClientTarget> {
  const { scopes, tokenUrl, issuer } = auth;
  const given = { resource: toResource(connection, auth), scopes };
  if (tokenUrl !== undefined) {
    return { issuer: issuer ?? null, tokenUrl, clientAuthentications: ['client_secret_basic'], ...given };
  }
  if (issuer !== undefined) return { ...(await discoverTokenEndpoint(fetch, issuer)), ...given };
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

function createUnknownServer({ name }: Connection): HoldfastError {
  const message = `Connection ${name} has no known authorization server: give tokenUrl or issuer in its auth.`;
  return new HoldfastError('AUTHORIZATION_FAILED', message);
}
