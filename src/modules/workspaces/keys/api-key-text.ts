import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretBytes = 32;
const sessionPrefix = 'holdfast_session';
const keyPattern = /^holdfast_(user_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_([A-Za-z0-9_-]{43})$/;

/** Creates the secret of a new API key: the text for its owner, and the hash that is stored. */
export function createApiKeyText(id: string): { text: string; secretHash: Buffer } {
  return createText('holdfast', id);
}

/** Creates the secret of a new user token. */
export function createUserTokenText(id: string): { text: string; secretHash: Buffer } {
  return createText('holdfast_user', id);
}

function createText(prefix: string, id: string): { text: string; secretHash: Buffer } {
  const secret = randomBytes(secretBytes).toString('base64url');
  return { text: `${prefix}_${id}_${secret}`, secretHash: hashSecret(secret) };
}

/** Creates the secret of a new session. */
export function createSessionText(id: string): { text: string; secretHash: Buffer } {
  return createText(sessionPrefix, id);
}

/** Splits `holdfast_session_<id>_<secret>`; null when the text has another form. */
export function parseSessionText(text: string): { id: string; secret: string } | null {
  // The rest has the form of a key.
  const isSession = text.startsWith(`${sessionPrefix}_`);
  return isSession ? parseApiKeyText(text.replace(sessionPrefix, 'holdfast')) : null;
}

/** Splits `holdfast_<id>_<secret>` or `holdfast_user_<id>_<secret>`; null when the text has neither form. */
export function parseApiKeyText(
  text: string,
): { kind: 'key' | 'user_token'; id: string; secret: string } | null {
  const [, user, id, secret] = keyPattern.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  return { kind: user === undefined ? 'key' : 'user_token', id, secret };
}

/** Compares a secret with a stored hash in constant time. */
export function isSecretOf(secret: string, secretHash: Buffer): boolean {
  return timingSafeEqual(hashSecret(secret), secretHash);
}

/** One round of SHA-256 is enough for 256 random bits, which cannot be guessed. */
function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
