import { randomUUID } from 'node:crypto';
import type { Connection, OpenConnection, RateLimit } from '../../src/domain/connection.ts';
import type { RateLimiter } from '../../src/domain/rate-limiter.ts';

interface TestConnection {
  provider: string;
  baseUrl: string | null;
  rateLimit?: RateLimit | null;
  fetch?: OpenConnection['fetch'];
  /** @default null: not known */
  scopes?: string[] | null;
}

/** The token of every test connection, new for each run. */
export const testToken = `token-${randomUUID()}`;

const bearerFetch: OpenConnection['fetch'] = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${testToken}`);
  return fetch(url, { ...init, headers, redirect: 'manual' });
};

/** An open connection with a bearer token, without a database behind it. */
export function openTestConnection(options: TestConnection): OpenConnection {
  const { provider, baseUrl, rateLimit = null, fetch: fetchWith = bearerFetch, scopes = null } = options;
  const now = new Date().toISOString();
  const connection: Connection = {
    id: randomUUID(),
    name: 'Test connection',
    provider,
    endpoint: baseUrl,
    variables: {},
    auth: { type: 'bearer' },
    status: 'active',
    statusReason: null,
    rateLimit,
    ownerId: null,
    expiresAt: null,
    lastUsedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return {
    connection,
    workspaceId: randomUUID(),
    baseUrl,
    scopes,
    fetch: fetchWith,
    redact: (text) => text.replaceAll(testToken, '[redacted]'),
  };
}

/** A rate limiter that allows every request. */
export const noLimits: RateLimiter = { take: () => Promise.resolve({ granted: true }) };
