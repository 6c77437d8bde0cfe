import type { StoredConnection } from './connection-rows.ts';
import type {
  Connection,
  ConnectionAccess,
  OpenConnection,
  ConnectionRequest,
} from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { findProviderUrl } from '../../domain/provider-address.ts';
import { fillUrlVariables } from '../../domain/url-variables.ts';
import { createAuthorizedFetch } from './authorized-fetch.ts';
import type { ConnectionParts, ProviderFacts } from './connection-parts.ts';
import { createCredentials } from './credentials.ts';
import { expireConnection, type RefusedCredentials } from './oauth/expire-connection.ts';
import { accessDenied, notActive, orUnavailable, providerMismatch } from './oauth/refusals.ts';
import { listPlainFields, listScopes, openSecrets } from './secrets/stored-secrets.ts';
import { createTokenRefresher } from './oauth/token-refresher.ts';

/** `lastUsedAt` is written at most once in this time, in milliseconds. */
const lastUsedAccuracyMs = 60_000;

/** Builds the access to stored connections, with one token refresher for all of them. */
export function createConnectionAccess(parts: ConnectionParts): ConnectionAccess {
  const refreshTokens = createTokenRefresher(parts);
  const expire = (refused: RefusedCredentials) => expireConnection(parts, refused);
  const openCredentials = async (request: ConnectionRequest) => {
    const stored = await orUnavailable(findUsable(parts, request));
    const secrets = openSecrets(parts.keyRing, { id: stored.connection.id, ...stored });
    const { workspaceId } = request;
    const facts = await orUnavailable(findFacts(parts, workspaceId, stored));
    const places = facts?.auth;
    return {
      facts,
      stored,
      secrets,
      credentials: createCredentials({ stored, secrets, refreshTokens, expire, places }),
    };
  };
  return {
    open: async (request) => {
      const { stored, facts, secrets, credentials } = await openCredentials(request);
      const { connection, workspaceId } = stored;
      const baseUrl = findBaseUrl(facts, connection);
      const fetch = connection.provider === 'mcp' ? parts.fetches.streams : parts.fetches.whole;
      const origins = listOrigins(facts, connection, baseUrl);
      return {
        ...{ connection, workspaceId, baseUrl, redact: credentials.redact },
        scopes: listScopes(secrets),
        fetch: createAuthorizedFetch({ fetch, origins, credentials }),
      } satisfies OpenConnection;
    },
    openSecret: async ({ workspaceId, name }) => {
      const connectionId = await orUnavailable(findNamed(parts, workspaceId, name));
      const { stored, facts, secrets, credentials } = await openCredentials({ workspaceId, connectionId });
      const origin = toOrigin(findBaseUrl(facts, stored.connection));
      const fields = await credentials.getFields();
      const sent = await credentials.get();
      const places = { headers: toLowerNames(sent?.headers), query: Object.keys(sent?.query ?? {}) };
      const plainFields = listPlainFields(secrets);
      return {
        ...{ type: secrets.auth.type, origin, fields, places, plainFields, redact: credentials.redact },
        fetch: createAuthorizedFetch({
          fetch: parts.fetches.whole,
          origins: origin === null ? [] : [origin],
          credentials,
        }),
      };
    },
    openForModel: async (request) => {
      const { stored, credentials } = await openCredentials(request);
      const { name, endpoint } = stored.connection;
      const apiKey = await credentials.getKey();
      if (apiKey !== null) return { apiKey, baseUrl: endpoint && withoutSlash(endpoint) };
      throw new HoldfastError(
        'INVALID_INPUT',
        `Connection ${name} has no key for a model; expected auth of type api_key, bearer or oauth2_….`,
      );
    },
  };
}

/** A connection to a provider that its workspace has not imported costs no further query. */
async function findFacts(
  { findProvider, findImported }: ConnectionParts,
  workspaceId: string,
  { connection: { provider: name }, isImported }: StoredConnection,
): Promise<ProviderFacts | undefined> {
  const known = await findProvider(name);
  return known ?? (isImported ? await findImported?.({ workspaceId, name }) : undefined);
}

async function findNamed(parts: ConnectionParts, workspaceId: string, name: string): Promise<string> {
  const id = await parts.inWorkspace(workspaceId, ({ connections }) => connections.findConnectionId(name));
  if (id === null) throw accessDenied(name);
  return id;
}

function toLowerNames(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.keys(headers).map((name) => name.toLowerCase());
}

function toOrigin(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).origin;
}

async function findUsable(parts: ConnectionParts, request: ConnectionRequest): Promise<StoredConnection> {
  const { workspaceId, connectionId, provider } = request;
  return parts.inWorkspace(workspaceId, async ({ connections }) => {
    const stored = await connections.findConnection(connectionId);
    if (!stored) throw accessDenied(connectionId);
    const { connection } = stored;
    if (provider !== undefined && provider !== connection.provider) {
      throw providerMismatch(provider, connection.provider);
    }
    if (connection.status !== 'active') throw notActive(connection);
    if (isStale(connection)) await connections.touchConnection(connectionId);
    return stored;
  });
}

function isStale({ lastUsedAt }: Connection): boolean {
  return lastUsedAt === null || Date.now() - Date.parse(lastUsedAt) >= lastUsedAccuracyMs;
}

function findBaseUrl(
  facts: ProviderFacts | undefined,
  { endpoint, variables, auth }: Connection,
): string | null {
  const url = endpoint ?? (facts ? findProviderUrl(facts, auth['type']) : null);
  return url && withoutSlash(fillUrlVariables(url, facts?.variables, variables));
}

/** Lists the origins of a connection: its own, and without an endpoint those of the provider's operations too. */
function listOrigins(
  facts: ProviderFacts | undefined,
  { endpoint, variables }: Connection,
  baseUrl: string | null,
): string[] {
  const operations = endpoint === null ? Object.values(facts?.operations ?? {}) : [];
  const own = operations.flatMap((operation) => operation.baseUrl ?? []);
  const urls = [baseUrl, ...own.map((url) => fillUrlVariables(url, facts?.variables, variables))];
  return [...new Set(urls.map(toOrigin))].filter((origin) => origin !== null);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
