import type { FastifyRequest } from 'fastify';

interface NewCookie {
  name: string;
  /** Null deletes it. */
  value: string | null;
  /** Where browsers reach the API. */
  publicUrl: string;
  /** The path under the public URL that gets the cookie. */
  path: string;
  sameSite: 'Strict' | 'Lax';
  maxAgeSeconds: number;
}

/**
 * Writes a cookie that no script reads, as the value of the header `Set-Cookie` (RFC 6265). Under an `https` URL it is sent
 * over TLS alone.
 */
export function toCookie({ name, value, publicUrl, path, sameSite, maxAgeSeconds }: NewCookie): string {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const parts = [
    `${name}=${value ?? ''}`,
    `Path=${base}${path}`,
    `Max-Age=${value === null ? 0 : maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ];
  return parts.join('; ');
}

/** Reads a cookie of a request; undefined for none. */
export function readCookie({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const start = `${name}=`;
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
}
