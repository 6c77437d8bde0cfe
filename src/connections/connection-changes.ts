import type { Connection, ConnectionAuth, ConnectionChange, ConnectionInput } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { ConnectionValues, StoredConnection } from '../db/connections/connection-rows.ts';
import { checkConnectionInput } from './connection-input.ts';
import type { ConnectionParts, ConnectionRepositories } from './connection-parts.ts';
import { toPublicAuth } from './public-auth.ts';
import { connectionNotFound } from './refusals.ts';
import { sealSecrets } from './stored-secrets.ts';

interface NewConnectionRequest {
  workspaceId: string;
  id: string;
  input: ConnectionInput;
  ownerId: string;
}

/** Stores a new connection. @throws HoldfastError `INVALID_INPUT`, `CONFLICT`, `SECRETS_UNAVAILABLE` */
export async function createConnection(
  parts: ConnectionParts,
  request: NewConnectionRequest,
): Promise<Connection> {
  const { workspaceId, id, input, ownerId } = request;
  const { name, provider, endpoint = null, auth, rateLimit = null } = input;
  checkConnectionInput(input);
  const values = { endpoint, rateLimit, ...toAuthValues(parts, { id, workspaceId }, auth) };
  return parts.inWorkspace(workspaceId, async ({ connections, audit }) => {
    const created = await connections.createConnection({ id, name, provider, ownerId, ...values });
    const payload = { name, provider, endpoint, auth: auth.type };
    await audit.record({ type: 'connection.created', subjectId: id, payload });
    return created;
  });
}

interface ChangeRequest {
  workspaceId: string;
  id: string;
  change: ConnectionChange;
}

/** Changes a connection. @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `SECRETS_UNAVAILABLE` */
export async function changeConnection(parts: ConnectionParts, request: ChangeRequest): Promise<Connection> {
  const { workspaceId, id, change } = request;
  return parts.inWorkspace(workspaceId, async (repositories) => {
    const stored = await repositories.connections.findConnectionForUpdate(id);
    if (!stored) throw connectionNotFound(id);
    const { connection } = stored;
    checkChange(connection, change);
    const auth = change.status === 'revoked' ? toRevoked(connection) : toNewAuth(parts, stored, change);
    const changed = await repositories.connections.updateConnection(connection.id, {
      ...pick(change),
      ...auth,
    });
    if (auth !== undefined || change.endpoint !== undefined) await repositories.requests.deleteOf(id);
    await recordChange(repositories, changed, change);
    return changed;
  });
}

function pick({ name, endpoint, rateLimit }: ConnectionChange): ConnectionValues {
  return {
    ...(name === undefined ? {} : { name }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}

/** Sealed for the id as it is stored: who asks may write it in capitals. */
function toNewAuth(
  parts: ConnectionParts,
  { connection: { id }, workspaceId }: StoredConnection,
  { auth }: ConnectionChange,
): ConnectionValues | undefined {
  return auth && toAuthValues(parts, { id, workspaceId }, auth);
}

/** Forgets the credentials; what is shown of them stays as it was. */
function toRevoked({ auth }: Connection): ConnectionValues {
  const statusReason = 'It was revoked, and its credentials were forgotten. Give new auth to use it again.';
  return {
    auth: { type: auth['type'] ?? 'none' },
    secrets: null,
    status: 'revoked',
    statusReason,
    expiresAt: null,
  };
}

function checkChange(connection: Connection, change: ConnectionChange): void {
  if (change.status === 'revoked' && change.auth !== undefined) {
    throw invalid('auth', 'expected either new auth or the status "revoked"');
  }
  const { endpoint = connection.endpoint, auth } = change;
  checkConnectionInput({ provider: connection.provider, endpoint, auth: auth ?? { type: 'none' } });
  const keepsCredentials = auth === undefined && connection.auth['type'] !== 'none';
  if (keepsCredentials && toOrigin(endpoint) !== toOrigin(connection.endpoint)) {
    // Otherwise who may change a connection could have its credentials sent to himself.
    throw invalid(
      'auth',
      'expected auth too: stored credentials are for the origin that they were given for',
    );
  }
}

function toOrigin(endpoint: string | null): string | null {
  return endpoint === null ? null : new URL(endpoint).origin;
}

function invalid(field: string, message: string): HoldfastError {
  return new HoldfastError('INVALID_INPUT', `${field}: ${message}`, { details: [{ field, message }] });
}

async function recordChange(
  { audit }: ConnectionRepositories,
  { id, name, provider }: Connection,
  change: ConnectionChange,
): Promise<void> {
  const type = change.status === 'revoked' ? 'connection.revoked' : 'connection.updated';
  await audit.record({ type, subjectId: id, payload: { name, provider, fields: Object.keys(change) } });
}

/** What is stored of new auth. Consent that is still to be given counts as expired. */
function toAuthValues(
  { keyRing, maskSecret }: ConnectionParts,
  row: { id: string; workspaceId: string },
  auth: ConnectionAuth,
): ConnectionValues {
  const isPending = auth.type === 'oauth2_authorization_code';
  return {
    auth: toPublicAuth({ auth }, maskSecret),
    secrets: sealSecrets(keyRing, row, { auth }),
    status: isPending ? 'expired' : 'active',
    statusReason: isPending
      ? `It has not been authorized yet: GET /api/connections/${row.id}/authorize gives the address for a browser.`
      : null,
    expiresAt: null,
  };
}
