import type { ConnectionValues, StoredConnection } from './connection-rows.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Connection, ConnectionChange } from '../../domain/connection.ts';
import { createInvalidInput, HoldfastError } from '../../domain/errors.ts';
import type { ConnectionDependencies } from './connection-dependencies.ts';
import { checkConnectionInput } from './connection-input.ts';
import { findProviderUrl } from '../../domain/provider-address.ts';
import { fillUrlVariables } from '../../domain/url-variables.ts';
import type { ConnectionParts, ConnectionRepositories, ProviderFacts } from './connection-parts.ts';
import { findProviderFacts } from './find-provider-facts.ts';
import { checkServerName, connectionNotFound } from './oauth/refusals.ts';
import { toAuthValues } from './secrets/to-auth-values.ts';

interface ConnectionUpdate {
  id: string;
  change: ConnectionChange;
}

/**
 * Changes a connection, ends its pending authorizations when the endpoint or the auth changed, and closes the sessions
 * that are open over it.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `SECRETS_UNAVAILABLE`
 */
export async function updateConnection(
  {
    connections: parts,
    mcpServers,
    releaseConnection,
  }: Pick<ConnectionDependencies, 'connections' | 'mcpServers' | 'releaseConnection'>,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  { id, change }: ConnectionUpdate,
): Promise<Connection> {
  const facts = await findFacts(parts, workspaceId, id);
  const updated = await parts.inWorkspace(workspaceId, async (repositories) => {
    const stored = await repositories.connections.findConnectionForUpdate(id);
    if (!stored) throw connectionNotFound(id);
    const { connection } = stored;
    checkChange(facts, connection, change);
    if (change.name !== undefined && change.name !== connection.name) {
      checkServerName(change.name, mcpServers);
      await refuseWhenNamed(repositories, connection);
    }
    const auth = change.status === 'revoked' ? toRevoked(connection) : toNewAuth(parts, stored, change);
    const changed = await repositories.connections.updateConnection(connection.id, {
      ...toPlainValues(change),
      ...auth,
    });
    const isElsewhere = change.endpoint !== undefined || change.variables !== undefined;
    if (auth !== undefined || isElsewhere) await repositories.requests.deleteOf(id);
    await recordChange(repositories, changed, change);
    return changed;
  });
  // The stored id, which open sessions have: a caller may write it in capitals.
  releaseConnection({ workspaceId, connectionId: updated.id });
  return updated;
}

/** Before the transaction, which would hold a second connection to the database otherwise. */
async function findFacts(
  parts: ConnectionParts,
  workspaceId: string,
  id: string,
): Promise<ProviderFacts | undefined> {
  const stored = await parts.inWorkspace(workspaceId, ({ connections }) => connections.findConnection(id));
  if (!stored) throw connectionNotFound(id);
  return findProviderFacts(parts, { workspaceId, name: stored.connection.provider });
}

/** Rules that name a connection would silently stop to hold for it under another name. */
async function refuseWhenNamed({ connections }: ConnectionRepositories, { name }: Connection): Promise<void> {
  const agent = await connections.findAgentNaming(name);
  if (agent === null) return;
  const message = `The rules of the agent "${agent}" name tools of the connection "${name}". Change them first.`;
  throw new HoldfastError('CONFLICT', message);
}

function toPlainValues({ name, endpoint, variables, rateLimit }: ConnectionChange): ConnectionValues {
  return {
    ...(variables === undefined ? {} : { variables }),
    ...(name === undefined ? {} : { name }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}

/**
 * Seals new auth under the stored id, which is in lower case. A caller may write the id in capitals, and a secret that
 * is sealed under one spelling cannot be opened under the other.
 */
function toNewAuth(
  parts: ConnectionParts,
  { connection: { id }, workspaceId }: StoredConnection,
  { auth }: ConnectionChange,
): ConnectionValues | undefined {
  return auth && toAuthValues(parts, { id, workspaceId }, auth);
}

/** Deletes the credentials. The public auth keeps only its type. */
function toRevoked({ auth }: Connection): ConnectionValues {
  const statusReason = 'It was revoked, and its credentials were deleted. Give new auth to use it again.';
  return {
    auth: { type: auth['type'] ?? 'none' },
    secrets: null,
    status: 'revoked',
    statusReason,
    expiresAt: null,
  };
}

function checkChange(
  facts: ProviderFacts | undefined,
  connection: Connection,
  change: ConnectionChange,
): void {
  if (change.status === 'revoked' && change.auth !== undefined) {
    const message = 'expected either new auth or the status "revoked"';
    throw createInvalidInput([{ field: 'auth', message }]);
  }
  const { provider } = connection;
  const { endpoint = connection.endpoint, variables = connection.variables, auth } = change;
  const authType = auth?.type ?? connection.auth['type'];
  checkConnectionInput({ provider, endpoint, variables, auth: auth ?? { type: 'none' }, authType }, facts);
  const keepsCredentials = auth === undefined && authType !== 'none';
  const before = toBaseUrl(facts, connection);
  const after = toBaseUrl(facts, { ...connection, endpoint, variables });
  if (keepsCredentials && toOrigin(after) !== toOrigin(before)) {
    // Otherwise a caller who may change a connection could send its credentials to a server that the caller controls.
    const message = 'expected auth too: stored credentials are for the origin that they were given for';
    throw createInvalidInput([{ field: 'auth', message }]);
  }
}

function toBaseUrl(
  facts: ProviderFacts | undefined,
  { endpoint, variables, auth }: Pick<Connection, 'endpoint' | 'variables' | 'auth'>,
): string | null {
  const url = endpoint ?? (facts ? findProviderUrl(facts, auth['type']) : null);
  return url && fillUrlVariables(url, facts?.variables, variables);
}

function toOrigin(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? null);
}

async function recordChange(
  { audit }: ConnectionRepositories,
  { id, name, provider }: Connection,
  change: ConnectionChange,
): Promise<void> {
  const type = change.status === 'revoked' ? 'connection.revoked' : 'connection.updated';
  await audit.record({ type, subjectId: id, payload: { name, provider, fields: Object.keys(change) } });
}
