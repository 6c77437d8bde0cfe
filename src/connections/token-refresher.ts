import { isDeepStrictEqual } from 'node:util';
import type { StoredConnection } from '../db/connections/connection-rows.ts';
import type { Connection } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import type { ConnectionParts, ConnectionRepositories } from './connection-parts.ts';
import { requestClientToken, requestRefresh } from './oauth/token-requests.ts';
import { accessDenied, notActive, orUnavailable } from './refusals.ts';
import { createSlots } from './slots.ts';
import { openSecrets, sealSecrets, type StoredSecrets, type Tokens } from './stored-secrets.ts';

/** The connection whose tokens are refreshed, and its secrets as the caller knows them. */
interface RefreshRequest {
  workspaceId: string;
  connectionId: string;
  /** The secrets whose tokens have expired or were refused. */
  known: StoredSecrets;
}

/**
 * Gets new tokens of a connection. Simultaneous requests, in this process and in others, share one refresh.
 * @throws HoldfastError `CONNECTION_NOT_ACTIVE` when the authorization server refused: the connection is `expired`
 * from then on; `AUTHORIZATION_FAILED`, retryable, when the server could not be reached
 */
export type RefreshTokens = (request: RefreshRequest) => Promise<StoredSecrets>;

/** Each refresh holds a session of the database while it waits for the authorization server. */
const slotLimits = { total: 4, perKey: 2 };

/** Builds the function that refreshes tokens; all open connections share it. */
export function createTokenRefresher(parts: ConnectionParts): RefreshTokens {
  const flights = new Map<string, Promise<StoredSecrets>>();
  const runInSlot = createSlots(slotLimits);
  return async (request) => {
    const { workspaceId, connectionId, known } = request;
    const key = `${workspaceId}/${connectionId}`;
    const flying = flights.get(key);
    if (flying) {
      const found = await flying;
      // The refresh may have started earlier and returned the same token that was refused; then refresh once more.
      if (!isSameToken(found, known)) return found;
    }
    const flight = flights.get(key) ?? runInSlot(workspaceId, () => orUnavailable(refresh(parts, request)));
    flights.set(key, flight);
    try {
      return await flight;
    } finally {
      if (flights.get(key) === flight) flights.delete(key);
    }
  };
}

function isSameToken(one: StoredSecrets, other: StoredSecrets): boolean {
  return one.tokens?.accessToken === other.tokens?.accessToken;
}

/** A refusal is a value, so that the transaction commits the status `expired` before the error is thrown. */
type Outcome = { secrets: StoredSecrets } | { refused: Connection };

async function refresh(parts: ConnectionParts, { workspaceId, connectionId, known }: RefreshRequest) {
  const outcome = await parts.inWorkspace(workspaceId, async (repositories): Promise<Outcome> => {
    await repositories.connections.lockForRefresh(connectionId);
    const stored = await repositories.connections.findConnection(connectionId);
    const secrets = openActive(parts, connectionId, stored);
    // Another process has refreshed the tokens already.
    if (secrets.tokens !== undefined && isUsable(secrets.tokens) && !isSameToken(secrets, known))
      return { secrets };
    return replaceTokens(parts, repositories, { connectionId, secrets });
  });
  if ('secrets' in outcome) return outcome.secrets;
  throw notActive(outcome.refused);
}

function openActive(
  parts: ConnectionParts,
  connectionId: string,
  stored: StoredConnection | null,
): StoredSecrets {
  if (!stored) throw accessDenied(connectionId);
  if (stored.connection.status !== 'active') throw notActive(stored.connection);
  return openSecrets(parts.keyRing, { id: connectionId, ...stored });
}

interface Replacement {
  connectionId: string;
  secrets: StoredSecrets;
}

async function replaceTokens(
  parts: ConnectionParts,
  { connections, audit }: ConnectionRepositories,
  { connectionId, secrets }: Replacement,
): Promise<Outcome> {
  const answer = await askForTokens(parts.fetches.oauth, secrets);
  const stored = await connections.findConnectionForUpdate(connectionId);
  const now = openActive(parts, connectionId, stored);
  // The auth or the consent changed during the request: the new tokens belong to the old auth and are discarded.
  if (!isDeepStrictEqual(now, secrets) || !stored) return { secrets: now };
  if ('tokens' in answer) {
    const renewed = { ...secrets, tokens: answer.tokens };
    await connections.storeTokens(connectionId, toSealedTokens(parts, stored, renewed));
    return { secrets: renewed };
  }
  const { name, provider } = stored.connection;
  const payload = { name, provider, reason: answer.refusal };
  await audit.record({ type: 'connection.expired', subjectId: connectionId, payload });
  const expired = { status: 'expired', statusReason: answer.refusal } as const;
  return { refused: await connections.updateConnection(connectionId, expired) };
}

function toSealedTokens(
  parts: ConnectionParts,
  { connection, workspaceId }: StoredConnection,
  secrets: StoredSecrets,
) {
  const end = secrets.tokens?.expiresAt;
  return {
    secrets: sealSecrets(parts.keyRing, { id: connection.id, workspaceId }, secrets),
    expiresAt: end === undefined ? null : new Date(end),
  };
}

type TokenAnswer = { tokens: Tokens } | { refusal: string };

async function askForTokens(
  fetch: GuardedFetch,
  { auth, grant, tokens }: StoredSecrets,
): Promise<TokenAnswer> {
  try {
    if (auth.type === 'oauth2_client_credentials') return { tokens: await requestClientToken(fetch, auth) };
    if (!grant || tokens?.refreshToken === undefined) {
      return { refusal: 'Its access token has ended, and the authorization server gave no refresh token.' };
    }
    return { tokens: await requestRefresh(fetch, grant, tokens.refreshToken) };
  } catch (error) {
    const isRefusal =
      error instanceof HoldfastError && error.code === 'AUTHORIZATION_FAILED' && !error.retryable;
    if (isRefusal) return { refusal: error.message };
    throw error;
  }
}

/** Whether a token has not expired, as far as is known. */
export function isUsable({ expiresAt }: Tokens, now = Date.now()): boolean {
  return expiresAt === undefined || expiresAt > now;
}
