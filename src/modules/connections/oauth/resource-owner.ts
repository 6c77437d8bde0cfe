import type { Connection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';

/** The fields of OAuth auth that an owner may give. */
interface GivenAuth {
  clientSecret?: string | undefined;
  issuer?: string | undefined;
  tokenUrl?: string | undefined;
  /** Null for none. */
  resource?: string | null | undefined;
}

/**
 * Returns the resource to request tokens for (RFC 8707): the one that the owner gave, else the endpoint of an MCP
 * server, as the MCP specification requires. Null for none.
 */
export function toResource(
  { provider, endpoint }: Pick<Connection, 'provider' | 'endpoint'>,
  { resource }: GivenAuth,
): string | null {
  if (resource !== undefined) return resource;
  return provider === 'mcp' && endpoint !== null ? toIdentifier(new URL(endpoint)) : null;
}

/** Returns the resource identifier of an endpoint: its URL without a fragment (RFC 8707, section 2). */
export function toIdentifier(endpoint: URL): string {
  const identifier = new URL(endpoint);
  identifier.hash = '';
  return identifier.pathname === '/' && identifier.search === '' ? identifier.origin : identifier.href;
}

/**
 * Refuses a token endpoint at another origin than the MCP server, which could otherwise have the client secret sent to
 * any host.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export function requireOwnerForSecret(
  { clientSecret, issuer, tokenUrl }: GivenAuth,
  endpoint: string,
  found: string,
): void {
  if (clientSecret === undefined || issuer !== undefined || tokenUrl !== undefined) return;
  const { origin } = new URL(found);
  if (origin === new URL(endpoint).origin) return;
  throw new HoldfastError(
    'AUTHORIZATION_FAILED',
    `The MCP server names a token endpoint at ${origin}, to which the client secret would go. ` +
      'If that is right, give issuer or tokenUrl in the auth of the connection.',
  );
}
