import type { StoredConnection } from '../db/connections/connection-rows.ts';
import { HoldfastError } from '../domain/errors.ts';
import { createRedactor, type Redactor } from '../domain/redact.ts';
import type { RefusedCredentials } from './expire-connection.ts';
import { findRefusal } from './refused-response.ts';
import { listSecrets, toBasicCredentials, type StoredSecrets } from './stored-secrets.ts';
import { isUsable, type RefreshTokens } from './token-refresher.ts';

/** The header that authenticates a request. */
export interface CredentialHeader {
  name: string;
  value: string;
}

/** The credentials of one open connection, renewed for as long as it is open. */
export interface Credentials {
  /** Returns the header to send now; null when there is none. @throws as `RefreshTokens` */
  get: () => Promise<CredentialHeader | null>;
  /** Returns a new header after a 401 refused `refused`; null when there is no other. @throws as `get` */
  renew: (refused: CredentialHeader) => Promise<CredentialHeader | null>;
  /**
   * Sets the connection to `expired` when a response refuses for good the credentials that the request had. Never
   * rejects: without the database the connection stays as it is until the next refusal.
   */
  note: (used: CredentialHeader, response: Response) => Promise<void>;
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
}

/** Builds the credentials of a connection from its stored secrets. */
export function createCredentials(options: CredentialsOptions): Credentials {
  const { stored, secrets, refreshTokens, expire } = options;
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
    get: async () => toHeader(await freshen()),
    getKey: async () => findKey(await freshen()),
    getFields: async () => toFields(await freshen()),
    renew: async (refused) => {
      // Another request of this connection may have renewed them already.
      if (toHeader(current)?.value === refused.value) {
        if (!canRefresh(current)) return null;
        await refresh();
      }
      const header = toHeader(current);
      return header?.value === refused.value ? null : header;
    },
    note: async (used, response) => {
      const refusal = findRefusal(response, current);
      // Newer credentials than the refused ones may be accepted.
      if (refusal === null || toHeader(current)?.value !== used.value) return;
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

/** The header that a connection's requests carry. */
function toHeader({ auth, tokens }: StoredSecrets): CredentialHeader | null {
  switch (auth.type) {
    case 'none':
      return null;
    case 'api_key':
      return { name: auth.header, value: `${auth.prefix}${auth.key}` };
    case 'bearer':
      return { name: 'Authorization', value: `Bearer ${auth.token}` };
    case 'basic':
      return { name: 'Authorization', value: `Basic ${toBasicCredentials(auth)}` };
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return tokens ? { name: 'Authorization', value: `Bearer ${tokens.accessToken}` } : null;
  }
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
