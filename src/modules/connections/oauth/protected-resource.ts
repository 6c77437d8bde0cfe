import { processResourceDiscoveryResponse, type ResourceServer } from 'oauth4webapi';
import { HoldfastError } from '../../../domain/errors.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';
import { findChallengeParameter, readScopes } from './challenge.ts';
import { probeForChallenge } from './probe-for-challenge.ts';
import { requestMetadata, requireSecureUrl } from './oauth-request.ts';
import { toIdentifier } from './resource-owner.ts';

/** The authorization server that an MCP server names. */
export interface ProtectedResource {
  /** The identifier of the MCP server, for which tokens are requested. */
  resource: string;
  /** The issuer of its authorization server. */
  issuer: string;
  scopes: string[];
}

const wellKnown = '/.well-known/oauth-protected-resource';
/**
 * Finds the authorization server of an MCP server, without credentials: by the metadata (RFC 9728) that its challenge
 * names, else at the well-known URLs. A server without such metadata is its own authorization server, as before RFC 9728.
 * @throws HoldfastError `AUTHORIZATION_FAILED` when the server cannot be reached, or claims to be another resource
 */
export async function findProtectedResource(
  fetch: GuardedFetch,
  endpoint: string,
): Promise<ProtectedResource> {
  const challenge = await readChallenge(fetch, endpoint);
  const metadata = await findMetadata(fetch, endpoint, challenge.metadataUrl);
  const own = new URL(endpoint);
  const scopes = readScopes(challenge.scope?.split(' ') ?? metadata?.scopes_supported);
  if (!metadata) return { resource: toIdentifier(own), issuer: own.origin, scopes };
  const issuer = metadata.authorization_servers?.[0];
  if (issuer === undefined) throw failed('The MCP server names no authorization server.');
  requireOwnResource(metadata.resource, own);
  return { resource: metadata.resource, issuer, scopes };
}

interface Challenge {
  metadataUrl?: string | undefined;
  scope?: string | undefined;
}

async function readChallenge(fetch: GuardedFetch, endpoint: string): Promise<Challenge> {
  const header = await probeForChallenge(fetch, requireSecureUrl(endpoint, 'endpoint of the MCP server'));
  if (header === null) return {};
  return {
    metadataUrl: findChallengeParameter(header, 'resource_metadata'),
    scope: findChallengeParameter(header, 'scope'),
  };
}

async function findMetadata(fetch: GuardedFetch, endpoint: string, named: string | undefined) {
  if (named !== undefined) {
    const found = await readMetadata(fetch, requireSecureUrl(named, 'address of the resource metadata'));
    if (!found) throw failed('The MCP server names resource metadata that cannot be read.');
    return found;
  }
  const { origin, pathname } = new URL(endpoint);
  const paths = pathname === '/' ? [wellKnown] : [`${wellKnown}${pathname.replace(/\/$/, '')}`, wellKnown];
  for (const path of paths) {
    const found = await readMetadata(fetch, new URL(path, origin));
    if (found) return found;
  }
  return undefined;
}

async function readMetadata(fetch: GuardedFetch, url: URL): Promise<ResourceServer | undefined> {
  try {
    const response = await requestMetadata(fetch, url);
    const { resource } = (await response.clone().json()) as { resource?: unknown };
    return await processResourceDiscoveryResponse(new URL(String(resource)), response);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    return undefined;
  }
}

/**
 * Requires that the resource is the endpoint or a parent path of it (RFC 9728, section 3.3, and the MCP specification).
 */
function requireOwnResource(resource: string, endpoint: URL): void {
  const claimed = new URL(resource);
  const path = claimed.pathname.replace(/\/$/, '');
  const isAbove = endpoint.pathname === path || endpoint.pathname.startsWith(`${path}/`);
  if (claimed.origin === endpoint.origin && isAbove) return;
  throw failed(`The MCP server at ${endpoint.origin} claims to be another resource: ${claimed.origin}.`);
}

function failed(message: string, retryable = false): HoldfastError {
  return new HoldfastError('AUTHORIZATION_FAILED', message, { retryable });
}
