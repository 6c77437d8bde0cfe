import { isDeepStrictEqual } from 'node:util';
import type { StoredConnection } from '../connection-rows.ts';
import type { Connection } from '../../../domain/connection.ts';
import type { ConnectionParts, ConnectionRepositories } from '../connection-parts.ts';
import { openSecrets, sealSecrets, type StoredSecrets } from '../secrets/stored-secrets.ts';

/** Credentials that a server has refused. */
export interface RefusedCredentials {
  workspaceId: string;
  connectionId: string;
  /** The secrets that were refused. */
  known: StoredSecrets;
  /** Why, for the person who connects again. */
  reason: string;
  /** The scopes to ask for then. */
  wantedScopes?: string[] | undefined;
}

/** Sets a connection to `expired`, unless its credentials are no longer those that were refused. */
export async function expireConnection(
  parts: Pick<ConnectionParts, 'inWorkspace' | 'keyRing'>,
  { workspaceId, connectionId, known, reason, wantedScopes }: RefusedCredentials,
): Promise<void> {
  await parts.inWorkspace(workspaceId, async (repositories) => {
    const stored = await repositories.connections.findConnectionForUpdate(connectionId);
    if (stored?.connection.status !== 'active') return;
    const secrets = openSecrets(parts.keyRing, { id: connectionId, ...stored });
    if (!isDeepStrictEqual(secrets, known)) return;
    const wanted = wantedScopes && { ...secrets, wantedScopes };
    const values = wanted && {
      secrets: sealSecrets(parts.keyRing, { id: connectionId, workspaceId }, wanted),
    };
    await storeExpired(repositories, stored, { reason, ...values });
  });
}

type SealedSecrets = ReturnType<typeof sealSecrets>;

/** Stores that a connection has expired and why, with its event in the audit log. */
export async function storeExpired(
  { connections, audit, notifyOfExpiry }: ConnectionRepositories,
  { connection: { id, name, provider } }: StoredConnection,
  { reason, secrets }: { reason: string; secrets?: SealedSecrets },
): Promise<Connection> {
  const payload = { name, provider, reason };
  await audit.record({ type: 'connection.expired', subjectId: id, payload });
  await notifyOfExpiry(id);
  return connections.updateConnection(id, {
    status: 'expired',
    statusReason: reason,
    ...(secrets === undefined ? {} : { secrets }),
  });
}
