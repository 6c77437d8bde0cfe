import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A `state` parameter that only one browser can bring back. */
interface BoundState {
  /** The id of the pending authorization and the hash of the secret: `<id>.<hash>`. */
  state: string;
  /** The secret that the browser keeps in a cookie. */
  browser: string;
}

/** Binds a pending authorization to the browser that opens it. */
export function bindState(id: string): BoundState {
  const browser = randomBytes(32).toString('base64url');
  return { state: `${id}.${hashSecret(browser).toString('base64url')}`, browser };
}

/** Returns the id of the pending authorization in a `state`. */
export function toPendingId(state: string): string {
  return state.split('.', 1)[0] ?? '';
}

/** Returns whether a `state` was bound to the browser that has this secret. */
export function isBoundTo(state: string, browser: string | undefined): boolean {
  const [, hash = '', ...rest] = state.split('.');
  const expected = Buffer.from(hash, 'base64url');
  const found = hashSecret(browser ?? '');
  return browser !== undefined && rest.length === 0 && isSame(expected, found);
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function hashSecret(browser: string): Buffer {
  return createHash('sha256').update(browser).digest();
}
