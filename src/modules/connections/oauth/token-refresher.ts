import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { StoredConnection } from '../connection-rows.ts';
import type { Connection } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { isDatabaseOutage } from '../../../platform/lib/database-outage.ts';
import { newId } from '../../../platform/lib/ids.ts';
import type { ConnectionParts, ConnectionRepositories } from '../connection-parts.ts';
import { storeExpired } from './expire-connection.ts';
import { requestTokens, type TokenAnswer } from './request-tokens.ts';
import { accessDenied, notActive, orUnavailable } from './refusals.ts';
import { openSecrets, sealSecrets, type StoredSecrets, type Tokens } from '../secrets/stored-secrets.ts';

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

/** Longer than a request to a token endpoint may take: two requests with one refresh token would end the grant. */
const leaseMs = 20_000;
const pollMs = 100;
/** How long to wait for the refreshes of other processes. */
const maxWaitMs = 2 * leaseMs;

/** Builds the function that refreshes tokens; all open connections share it. */
export function createTokenRefresher(parts: ConnectionParts): RefreshTokens {
  const flights = new Map<string, Promise<StoredSecrets>>();
  return async (request) => {
    const { workspaceId, connectionId, known } = request;
    const key = `${workspaceId}/${connectionId}`;
    const flying = flights.get(key);
    if (flying) {
      const found = await flying;
      // The refresh may have started earlier and returned the same token that was refused; then refresh once more.
      if (!isSameToken(found, known)) return found;
    }
    const flight = flights.get(key) ?? parts.track(orUnavailable(refresh(parts, request)));
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

/** The right of this call to refresh, and the connection as it was stored then. */
interface Turn {
  holder: string;
  stored: StoredConnection;
  secrets: StoredSecrets;
}

/** No transaction is open while the authorization server is asked; a lease keeps other processes from asking too. */
async function refresh(parts: ConnectionParts, request: RefreshRequest): Promise<StoredSecrets> {
  const holder = newId();
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const found = await takeTurn(parts, request, holder);
    if (found !== 'busy') return 'holder' in found ? replaceTokens(parts, request, found) : found;
    if (Date.now() > deadline) throw createBusy();
    await sleep(pollMs);
  }
}

/** Takes the lease; returns the secrets when another process has refreshed the tokens already. */
function takeTurn(
  parts: ConnectionParts,
  { workspaceId, connectionId, known }: RefreshRequest,
  holder: string,
): Promise<Turn | StoredSecrets | 'busy'> {
  return parts.inWorkspace(workspaceId, async ({ connections, leases }) => {
    // Before the tokens are read: those that another process stores before its lease ends are seen then.
    const isMine = await leases.take({ connectionId, holder, leaseMs });
    const stored = await connections.findConnection(connectionId);
    const { secrets, ...active } = openActive(parts, connectionId, stored);
    const isRefreshed =
      secrets.tokens !== undefined && isUsable(secrets.tokens) && !isSameToken(secrets, known);
    if (!isRefreshed) return isMine ? { holder, secrets, ...active } : 'busy';
    if (isMine) await leases.end({ connectionId, holder });
    return secrets;
  });
}

function openActive(parts: ConnectionParts, connectionId: string, stored: StoredConnection | null) {
  if (!stored) throw accessDenied(connectionId);
  if (stored.connection.status !== 'active') throw notActive(stored.connection);
  return { stored, secrets: openSecrets(parts.keyRing, { id: connectionId, ...stored }) };
}

async function replaceTokens(
  parts: ConnectionParts,
  { workspaceId, connectionId }: RefreshRequest,
  turn: Turn,
): Promise<StoredSecrets> {
  const { holder } = turn;
  const inWorkspace = <Result>(run: (repositories: ConnectionRepositories) => Promise<Result>) =>
    parts.inWorkspace(workspaceId, run);
  let answer: TokenAnswer;
  try {
    answer = await requestTokens(parts, turn.stored.connection, turn.secrets);
  } catch (error) {
    // When the database cannot be reached, the lease expires.
    await inWorkspace(({ leases }) => leases.end({ connectionId, holder })).catch(() => undefined);
    throw error;
  }
  const store = () => inWorkspace((repositories) => storeAnswer(parts, repositories, { turn, answer }));
  const outcome = await retryStore(store, Date.now() + leaseMs);
  if ('secrets' in outcome) return outcome.secrets;
  throw notActive(outcome.refused);
}

/**
 * Repeats work while the database is unreachable, at most until `deadline`: a server that rotates refresh tokens has used up the
 * old one, and the new one is nowhere else yet.
 */
async function retryStore<Result>(work: () => Promise<Result>, deadline: number): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseOutage(error) || Date.now() > deadline) throw error;
      await sleep(pollMs);
    }
  }
}

/** A refusal is a value, so that the transaction commits the status `expired` before the error is thrown. */
type Outcome = { secrets: StoredSecrets } | { refused: Connection };

async function storeAnswer(
  parts: ConnectionParts,
  repositories: ConnectionRepositories,
  { turn, answer }: { turn: Turn; answer: TokenAnswer },
): Promise<Outcome> {
  const { connections, leases } = repositories;
  const { id } = turn.stored.connection;
  const locked = await connections.findConnectionForUpdate(id);
  const { stored, secrets: now } = openActive(parts, id, locked);
  await leases.end({ connectionId: id, holder: turn.holder });
  // The auth or the consent changed during the request: the new tokens belong to the old auth and are discarded.
  if (!isDeepStrictEqual(now, turn.secrets)) return { secrets: now };
  if ('refusal' in answer) {
    return { refused: await storeExpired(repositories, stored, { reason: answer.refusal }) };
  }
  const renewed = { ...now, tokens: answer.tokens };
  await connections.storeTokens(id, toSealedTokens(parts, stored, renewed));
  return { secrets: renewed };
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

function createBusy(): HoldfastError {
  const message = 'Another process has been refreshing the tokens of the connection for too long.';
  return new HoldfastError('AUTHORIZATION_FAILED', message, { retryable: true });
}

/** Whether a token has not expired, as far as is known. */
export function isUsable({ expiresAt }: Tokens, now = Date.now()): boolean {
  return expiresAt === undefined || expiresAt > now;
}
