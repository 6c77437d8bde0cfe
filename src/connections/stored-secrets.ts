import type { ConnectionAuth } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { KeyRing, Sealed, SealContext } from '../secrets/key-ring.ts';

/** Tokens that an authorization server gave. */
export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Epoch milliseconds; missing when the server did not say. */
  expiresAt?: number;
  /** From here on it is better to refresh before it is used; epoch milliseconds. */
  refreshAfter?: number;
}

/** What was agreed on when a person gave consent. Later refreshes go there and nowhere else, whatever a server says. */
export interface Grant {
  /** Null when the endpoints were given and no issuer is known. */
  issuer: string | null;
  tokenUrl: string;
  clientId: string;
  clientSecret?: string;
  clientAuthentication: 'none' | 'basic' | 'post';
  /** RFC 8707: what the tokens are for. */
  resource?: string;
  scopes: string[];
  /** Set for a client that was registered by RFC 7591, for this redirect URI. */
  registeredFor?: string;
}

/** Everything of a connection that is sealed. */
export interface StoredSecrets {
  auth: ConnectionAuth;
  grant?: Grant;
  tokens?: Tokens;
}

interface SealedRow {
  id: string;
  workspaceId: string;
}

function toContext({ id, workspaceId }: SealedRow): SealContext {
  return { workspaceId, recordId: id, purpose: 'connection' };
}

/** Seals what a connection keeps secret; a connection without auth keeps nothing. */
export function sealSecrets(keyRing: KeyRing, row: SealedRow, secrets: StoredSecrets): Sealed | null {
  if (secrets.auth.type === 'none') return null;
  return keyRing.seal(JSON.stringify(secrets), toContext(row));
}

/** @throws HoldfastError `SECRETS_UNAVAILABLE` */
export function openSecrets(keyRing: KeyRing, row: SealedRow & { sealed: Buffer | null }): StoredSecrets {
  if (row.sealed === null) return { auth: { type: 'none' } };
  const text = keyRing.open(row.sealed, toContext(row));
  try {
    return JSON.parse(text) as StoredSecrets;
  } catch {
    // The parser's message quotes what it could not read.
    throw new HoldfastError('SECRETS_UNAVAILABLE', 'A stored secret can not be read: it is damaged.');
  }
}

/** Every text in them that nobody may see. */
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
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return [auth.clientSecret];
  }
}

/** The longest password that is none: some vendors take their key as the user name, with an empty one or an "x". */
const longestNoPassword = 3;

/** Whether basic auth carries its secret in the user name. */
export function isKeyInUsername({ password }: { password: string }): boolean {
  return password.length <= longestNoPassword;
}

/** RFC 7617, section 2, with the user name and password as UTF-8. */
export function toBasicCredentials({ username, password }: { username: string; password: string }): string {
  return Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
}
