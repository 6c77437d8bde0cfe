import type { Config } from './config.ts';
import type { ConnectionParts, ConnectionRepositories } from '../modules/connections/connection-parts.ts';
import { createConnectionAccess } from '../modules/connections/create-connection-access.ts';
import type { Database } from '../platform/database/connect-database.ts';
import { createAuditLog } from '../platform/outbox/audit-log.ts';
import { createAuthorizationRequestRepository } from '../modules/connections/oauth/authorization-request-repository.ts';
import { createConnectionRepository } from '../modules/connections/connection-repository.ts';
import { createRefreshLeases } from '../modules/connections/oauth/refresh-leases.ts';
import { notifyWebhooksInside } from '../platform/outbox/notify-webhooks.ts';
import { createGuardedFetch } from '../platform/egress/guarded-fetch.ts';
import type { KeyRing } from '../platform/secrets/key-ring.ts';
import { maskSecret } from '../platform/secrets/mask-secret.ts';

interface ConnectionServiceOptions {
  config: Pick<Config, 'allowLoopback'>;
  database: Database;
  keyRing: KeyRing;
  findProvider: ConnectionParts['findProvider'];
  findImported?: ConnectionParts['findImported'];
}

const mebibyte = 1024 * 1024;
/** The longest time limit that a tool may have; the abort signal of a call enforces the tool's own limit. */
const slowestAnswerMs = 600_000;

/** Wires connections to the database, the keys and the guarded network. */
export function createConnections({
  config,
  database,
  keyRing,
  findProvider,
  findImported,
}: ConnectionServiceOptions) {
  const allowLoopback = config.allowLoopback.connections;
  const slow = { allowLoopback, headersTimeoutMs: slowestAnswerMs };
  const fetches = {
    // Files are read up to this size; the readers of other answers stop earlier.
    whole: createGuardedFetch({ ...slow, bodyTimeoutMs: slowestAnswerMs, maxBodyBytes: 24 * mebibyte }),
    streams: createGuardedFetch({ ...slow, bodyTimeoutMs: 0, maxBodyBytes: Infinity }),
    oauth: createGuardedFetch({ allowLoopback, maxBodyBytes: mebibyte / 4 }),
  };
  const running = new Set<Promise<unknown>>();
  const track = async <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };
  const parts: ConnectionParts = {
    inWorkspace: (workspaceId, run) =>
      track(
        database.inWorkspace(workspaceId, (trx) =>
          run({
            connections: createConnectionRepository(trx),
            leases: createRefreshLeases(trx),
            requests: createAuthorizationRequestRepository(trx),
            audit: createAuditLog(trx),
            notifyOfExpiry: (connectionId) =>
              notifyWebhooksInside(trx, 'connection.needs_authorization', { connectionId }),
          } satisfies ConnectionRepositories),
        ),
      ),
    findAuthorizationRequest: createAuthorizationRequestRepository(database.system).find,
    track,
    takeAuthorizationRequest: createAuthorizationRequestRepository(database.system).take,
    keyRing,
    maskSecret,
    findProvider,
    ...(findImported ? { findImported } : {}),
    fetches,
  };
  return {
    connections: parts,
    connectionAccess: createConnectionAccess(parts),
    close: async () => {
      // An interrupted refresh may have used up its refresh token while the new tokens would be lost.
      await Promise.allSettled(running);
      await Promise.all(Object.values(fetches).map((fetch) => fetch.close()));
    },
  };
}
