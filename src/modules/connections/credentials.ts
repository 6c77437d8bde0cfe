import { isDeepStrictEqual } from 'node:util';
import type { StoredConnection } from './connection-rows.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { KeyPlaces } from '../../domain/key-places.ts';
import { createRedactor, type Redactor } from '../../domain/redact.ts';
import type { RefusedCredentials } from './oauth/expire-connection.ts';
import { findRefusal } from './oauth/refused-response.ts';
import { listSecrets, toBasicCredentials, type StoredSecrets } from './secrets/stored-secrets.ts';
import { isUsable, type RefreshTokens } from './oauth/token-refresher.ts';

/** The parts that authenticate a request. */
export interface CredentialParts {
  /** Headers by name. */
  headers: Readonly<Record<string, string>>;
  /** Query parameters by name. */
  query: Readonly<Record<string, string>>;
  /** The values of names in braces in the path. */
  path: Readonly<Record<string, string>>;
}

/** The credentials of one open connection, renewed for as long as it is open. */
export interface Credentials {
  /** Returns the credentials to send now; null when there is none. @throws as `RefreshTokens` */
  get: () => Promise<CredentialParts | null>;
  /** Returns new credentials after a 401 refused `refused`; null when there is no other. @throws as `get` */
  renew: (refused: CredentialParts) => Promise<CredentialParts | null>;
  /**
   * Sets the connection to `expired` when a response refuses for good the credentials that the request had. Never
   * rejects: without the database the connection stays as it is until the next refusal.
   */
  note: (used: CredentialParts, response: Response) => Promise<void>;
  /**
   * Returns the key without a header, for clients that add it themselves; null for auth without a key.
   * @throws as `get`
   */
  getKey: () => Promise<string | null>;
  /** Returns the fields of the auth by name. @throws as `get` */
  getFields: () => Promise<Record<string, string>>;
  redact: Redactor['redact'];
}

interface CredentialsOptions {
  stored: StoredConnection;
  secrets: StoredSecrets;
  refreshTokens: RefreshTokens;
  expire: (refused: RefusedCredentials) => Promise<void>;
  /** The places of secrets in requests that the provider names. @default none */
  places?: SecretPlaces | undefined;
}

interface SecretPlaces {
  /** Those of auth of type `keys`. */
  keys?: KeyPlaces;
  oauth?: { tokenHeader?: string };
}

/** Builds the credentials of a connection from its stored secrets. */
export function createCredentials(options: CredentialsOptions): Credentials {
  const { stored, secrets, refreshTokens, expire, places = {} } = options;
  const { workspaceId, connection } = stored;
  const redactor = createRedactor(listSecrets(secrets));
  let current = secrets;
  const refresh = async () => {
    current = await refreshTokens({ workspaceId, connectionId: connection.id, known: current });
    redactor.add(listSecrets(current));
  };
  const freshen = async () => {
    if (needsToken(current)) await refresh().catch(keepUsable(current));
    return current;
  };
  return {
    get: async () => toCredentialParts(await freshen(), places),
    getKey: async () => findKey(await freshen()),
    getFields: async () => toFields(await freshen()),
    renew: async (refused) => {
      // Another request of this connection may have renewed them already.
      if (isDeepStrictEqual(toCredentialParts(current, places), refused)) {
        if (!canRefresh(current)) return null;
        await refresh();
      }
      const renewed = toCredentialParts(current, places);
      return isDeepStrictEqual(renewed, refused) ? null : renewed;
    },
    note: async (used, response) => {
      const refusal = findRefusal(response, current);
      // Newer credentials than the refused ones may be accepted.
      if (refusal === null || !isDeepStrictEqual(toCredentialParts(current, places), used)) return;
      const { id: connectionId } = connection;
      await expire({ workspaceId, connectionId, known: current, ...refusal }).catch(() => undefined);
    },
    redact: redactor.redact,
  };
}

/** Whether a token is missing, has expired or is about to expire. */
function needsToken(secrets: StoredSecrets, now = Date.now()): boolean {
  if (!isOAuth(secrets)) return false;
  const { tokens } = secrets;
  if (!tokens || !isUsable(tokens, now)) return true;
  return canRefresh(secrets) && tokens.refreshAfter !== undefined && tokens.refreshAfter <= now;
}

function isOAuth({ auth }: StoredSecrets): boolean {
  return auth.type === 'oauth2_client_credentials' || auth.type === 'oauth2_authorization_code';
}

function canRefresh({ auth, tokens }: StoredSecrets): boolean {
  return auth.type === 'oauth2_client_credentials' || tokens?.refreshToken !== undefined;
}

/** Ignores a retryable failure to refresh while the present token has not expired. */
function keepUsable({ tokens }: StoredSecrets) {
  return (error: unknown) => {
    const passes = error instanceof HoldfastError && error.retryable;
    if (passes && tokens !== undefined && isUsable(tokens)) return;
    throw error;
  };
}

/** The credentials that a connection's requests carry. */
function toCredentialParts(
  { auth, tokens }: StoredSecrets,
  { keys = {}, oauth }: SecretPlaces,
): CredentialParts | null {
  switch (auth.type) {
    case 'none':
      return null;
    case 'api_key':
      return inHeader(auth.header, `${auth.prefix}${auth.key}`);
    case 'bearer':
      return inHeader('Authorization', `Bearer ${auth.token}`);
    case 'basic':
      return inHeader('Authorization', `Basic ${toBasicCredentials(auth)}`);
    case 'keys':
      return placeKeys(auth.values, keys);
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return tokens ? placeToken(tokens.accessToken, oauth?.tokenHeader) : null;
  }
}

function placeToken(token: string, header: string | undefined): CredentialParts {
  return header === undefined ? inHeader('Authorization', `Bearer ${token}`) : inHeader(header, token);
}

function inHeader(name: string, value: string): CredentialParts {
  return { headers: { [name]: value }, query: {}, path: {} };
}

function placeKeys(values: Readonly<Record<string, string>>, places: KeyPlaces): CredentialParts {
  const found = Object.entries(values).flatMap(([name, value]) => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    return place ? [{ name, value, place }] : [];
  });
  const headers = found.flatMap(({ value, place }): [string, string][] =>
    'header' in place ? [[place.header, `${place.prefix ?? ''}${value}`]] : [],
  );
  const query = found.flatMap(({ value, place }): [string, string][] =>
    'query' in place ? [[place.query, value]] : [],
  );
  const path = found.flatMap(({ name, value, place }): [string, string][] =>
    'path' in place ? [[name, value]] : [],
  );
  return {
    headers: Object.fromEntries(headers),
    query: Object.fromEntries(query),
    path: Object.fromEntries(path),
  };
}

function toFields({ auth, tokens }: StoredSecrets): Record<string, string> {
  switch (auth.type) {
    case 'none':
      return {};
    case 'api_key':
      return { key: auth.key };
    case 'bearer':
      return { token: auth.token };
    case 'basic':
      return { username: auth.username, password: auth.password };
    case 'keys':
      return auth.values;
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return tokens ? { token: tokens.accessToken } : {};
  }
}

function findKey({ auth, tokens }: StoredSecrets): string | null {
  switch (auth.type) {
    case 'api_key':
      return auth.key;
    case 'bearer':
      return auth.token;
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return tokens?.accessToken ?? null;
    default:
      return null;
  }
}
