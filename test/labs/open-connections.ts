import type { Connection, OpenConnection } from '../../src/domain/connection.ts';
import { createAuthorizedFetch } from '../../src/modules/connections/authorized-fetch.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/platform/egress/guarded-fetch.ts';
import { newId } from '../../src/platform/lib/ids.ts';

/** The fields of a connection that a test sets; all others have defaults. */
export interface ConnectionParts {
  endpoint: string | null;
  /** Sent as a bearer token to the endpoint's own origin. */
  token?: string;
  workspaceId?: string;
  id?: string;
  name?: string;
  /** @default mcp */
  provider?: string;
  updatedAt?: string;
}

/** A fetch that may reach this machine and has no timeouts. */
export function createLoopbackFetch(): GuardedFetch {
  const endless = { headersTimeoutMs: 0, bodyTimeoutMs: 0, maxBodyBytes: Infinity };
  return createGuardedFetch({ allowLoopback: true, ...endless });
}

function toConnection({ endpoint, id, name, provider, updatedAt }: ConnectionParts): Connection {
  const now = '2026-07-01T12:00:00.000Z';
  return {
    id: id ?? newId(),
    name: name ?? 'own',
    provider: provider ?? 'mcp',
    endpoint,
    variables: {},
    auth: { type: 'bearer', token: '…' },
    status: 'active',
    statusReason: null,
    rateLimit: null,
    ownerId: null,
    expiresAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: updatedAt ?? now,
  };
}

function toBearer(token: string) {
  return { headers: { authorization: `Bearer ${token}` }, query: {}, path: {} };
}

/** Returns an open connection, whose credentials are added by the same fetch as those of stored ones. */
export function openConnectionTo(fetch: GuardedFetch, parts: ConnectionParts): OpenConnection {
  const { endpoint, token, workspaceId = newId() } = parts;
  const held = token === undefined ? null : toBearer(token);
  const credentials = {
    get: () => Promise.resolve(held),
    renew: () => Promise.resolve(null),
    note: () => Promise.resolve(),
  };
  const origins = endpoint === null ? [] : [new URL(endpoint).origin];
  return {
    connection: toConnection(parts),
    workspaceId,
    baseUrl: endpoint?.replace(/\/$/, '') ?? null,
    scopes: null,
    fetch: createAuthorizedFetch({ fetch, origins, credentials }),
    redact: (text) => (token === undefined ? text : text.replaceAll(token, '[redacted]')),
  };
}
