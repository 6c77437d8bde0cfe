import type { FastifyReply, FastifyRequest } from 'fastify';
import { readCookie, toCookie } from '../../../platform/http/cookies.ts';

/** How long a browser keeps the secret, in seconds; the consent itself ends after 10 minutes. */
const maxAgeSeconds = 15 * 60;

/** Each consent has its own cookie, so that a browser can have several at the same time; ids are base64url. */
function toCookieName(id: string): string {
  return `holdfast_consent_${id.slice(0, 16)}`;
}

interface ConsentCookie {
  /** The id of the pending authorization. */
  id: string;
  /** Where browsers reach the API. */
  publicUrl: string;
  /** The secret of the browser; null deletes it. */
  browser: string | null;
}

/**
 * Sets the cookie that holds the secret of a consent. `SameSite=Lax` sends it when the authorization server redirects
 * the browser back, and with no form of another site.
 */
export function setConsentCookie(reply: FastifyReply, { id, publicUrl, browser }: ConsentCookie): void {
  const cookie = { name: toCookieName(id), value: browser, publicUrl, path: '/api/oauth', maxAgeSeconds };
  reply.header('set-cookie', toCookie({ ...cookie, sameSite: 'Lax' }));
}

/** Returns the secret that the browser has for a consent; undefined for a browser that has not started it. */
export function findConsentCookie(request: FastifyRequest, id: string): string | undefined {
  return readCookie(request, toCookieName(id));
}
