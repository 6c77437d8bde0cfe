import type { ConnectionAuth } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { KeyRing, Sealed, SealContext } from '../../../platform/secrets/key-ring.ts';
import type { ClientAuthentication } from '../oauth/client-authentication.ts';

/** Tokens that an authorization server has issued. */
export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds; missing when the server did not say. */
  expiresAt?: number;
  /** When the token should be refreshed before its next use; epoch milliseconds. */
  refreshAfter?: number;
  /** The scopes that were granted; missing when they are the requested ones. */
  scopes?: string[];
}

/** The server, client and scopes that a person consented to. Refreshes always go to its addresses. */
export interface Grant {
  /** Null when the endpoints were given and no issuer is known. */
  issuer: string | null;
  tokenUrl: string;
  /** @default `tokenUrl` */
  refreshUrl?: string;
  clientId: string;
  clientSecret?: string;
  clientAuthentication: ClientAuthentication;
  /** The resource that the tokens are for (RFC 8707). */
  resource?: string;
  /** The scopes that were requested, and for which a registered client was registered. */
  scopes: string[];
  /** Set for a client that was registered by RFC 7591, for this redirect URI. */
  registeredFor?: string;
}

/** The secrets of a connection, which are stored sealed. */
export interface StoredSecrets {
  auth: ConnectionAuth;
  grant?: Grant;
  tokens?: Tokens;
  /** The scopes to ask for at the next consent, since the server refused a request for want of some of them. */
  wantedScopes?: string[];
}

interface SealedRow {
  id: string;
  workspaceId: string;
}

function toContext({ id, workspaceId }: SealedRow): SealContext {
  return { workspaceId, recordId: id, purpose: 'connection' };
}

/** Seals the secrets of a connection; null for a connection without auth. */
export function sealSecrets(keyRing: KeyRing, row: SealedRow, secrets: StoredSecrets): Sealed | null {
  if (secrets.auth.type === 'none') return null;
  return keyRing.seal(JSON.stringify(secrets), toContext(row));
}

/** Opens the sealed secrets of a connection. @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function openSecrets(keyRing: KeyRing, row: SealedRow & { sealed: Buffer | null }): StoredSecrets {
  if (row.sealed === null) return { auth: { type: 'none' } };
  const text = keyRing.open(row.sealed, toContext(row));
  try {
    return JSON.parse(text) as StoredSecrets;
  } catch {
    // The parser's message would quote the secret.
    throw new HoldfastError('SECRETS_UNAVAILABLE', 'A stored secret cannot be read: it is damaged.');
  }
}

/** Lists every text in the secrets that must not appear in output. */
export function listSecrets({ auth, grant, tokens }: StoredSecrets): string[] {
  const found = [grant?.clientSecret, tokens?.accessToken, tokens?.refreshToken, ...listAuthSecrets(auth)];
  return found.filter((secret) => secret !== undefined && secret !== '') as string[];
}

function listAuthSecrets(auth: ConnectionAuth): (string | undefined)[] {
  switch (auth.type) {
    case 'none':
      return [];
    case 'api_key':
      return [auth.key];
    case 'bearer':
      return [auth.token];
    case 'basic':
      return [auth.password, toBasicCredentials(auth), ...(isKeyInUsername(auth) ? [auth.username] : [])];
    case 'keys':
      return Object.values(auth.values).flatMap((key) => [key, encodeURIComponent(key)]);
    case 'oauth2_client_credentials':
      return [auth.clientSecret, auth.privateKey];
    case 'oauth2_authorization_code':
      return [auth.clientSecret];
  }
}

/**
 * A password of at most this length is a filler: some vendors take the key as user name, and "x" or nothing as
 * password.
 */
const maxPlaceholderLength = 3;

/** Whether basic auth carries its secret in the user name. */
export function isKeyInUsername({ password }: { password: string }): boolean {
  return password.length <= maxPlaceholderLength;
}

/** Lists the fields of a connection that are no secrets. */
export function listPlainFields({ auth }: StoredSecrets): string[] {
  return auth.type === 'basic' && !isKeyInUsername(auth) ? ['username'] : [];
}

/** Lists the scopes that a connection has: the granted ones, else the requested ones; null when they are not known. */
export function listScopes({ auth, grant, tokens }: StoredSecrets): string[] | null {
  if (tokens?.scopes) return tokens.scopes;
  const asked = auth.type === 'oauth2_client_credentials' ? auth.scopes : (grant?.scopes ?? []);
  return asked.length > 0 ? asked : null;
}

/** Encodes the user name and password as UTF-8 in base64 (RFC 7617, section 2). */
export function toBasicCredentials({ username, password }: { username: string; password: string }): string {
  return Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
}
