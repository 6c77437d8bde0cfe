import type { FastifyRequest } from 'fastify';
import { HoldfastError } from '../../domain/errors.ts';
import { readCookie, toCookie } from './cookies.ts';

/** The name of the cookie of a session. */
export const sessionCookie = 'holdfast_session';

/** Reads the secret of the session that a browser has; undefined for none. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, sessionCookie);
}

/** Writes the cookie of a session, or with null the one that deletes it. Browsers send it from pages of Holdfast alone. */
export function toSessionCookie(
  publicUrl: string,
  session: { text: string; expiresAt: string } | null,
): string {
  const value = session?.text ?? null;
  const left = session ? Date.parse(session.expiresAt) - Date.now() : 0;
  const cookie = { name: sessionCookie, value, publicUrl, path: '/', maxAgeSeconds: Math.ceil(left / 1000) };
  return toCookie({ ...cookie, sameSite: 'Strict' });
}

/**
 * Refuses a request with the cookie of a session that a page of another origin may have sent (CSRF): a browser may add the
 * cookie to requests of any page. It names the origin of a page that changes something (`Origin`), and whether the page is
 * of the same site (`Sec-Fetch-Site`, Fetch Metadata Request Headers).
 * @throws HoldfastError `FORBIDDEN`
 */
export function refuseOtherOrigins({ method, headers }: FastifyRequest, publicUrl: string): void {
  const isSafe = method === 'GET' || method === 'HEAD';
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const isFromHere = site === undefined || site === 'same-origin' || (site === 'none' && isSafe);
  const isOwn = origin !== undefined && (origin === new URL(publicUrl).origin || isOriginOf(origin, host));
  if (isFromHere && (isOwn || (isSafe && origin === undefined))) return;
  throw new HoldfastError('FORBIDDEN', 'Requests with a session come from pages of Holdfast alone.');
}

/** Whether an origin is that of the host that the browser asks, by whatever name it knows it. */
function isOriginOf(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
