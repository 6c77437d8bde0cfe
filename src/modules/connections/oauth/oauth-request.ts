import { allowInsecureRequests, customFetch } from 'oauth4webapi';
import { HoldfastError } from '../../../domain/errors.ts';
import { isJsonObject } from '../../../domain/json.ts';
import type { GuardedFetch } from '../../../platform/egress/guarded-fetch.ts';

/** How long an authorization server may take to answer, in milliseconds. */
const answerWithinMs = 10_000;
/** The names and addresses of this machine in URLs. */
export const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Requires https, or http to loopback, which the guarded fetch allows or refuses.
 * @throws HoldfastError `AUTHORIZATION_FAILED`
 */
export function requireSecureUrl(url: string | URL, what: string): URL {
  const parsed = URL.parse(String(url));
  if (parsed?.protocol === 'https:') return parsed;
  if (parsed?.protocol === 'http:' && loopbackHosts.has(parsed.hostname)) return parsed;
  throw new HoldfastError('AUTHORIZATION_FAILED', `The ${what} is not an https URL.`);
}

/** Builds the options for requests of `oauth4webapi`: the guarded fetch, TLS, and a timeout. */
export function toRequestOptions(fetch: GuardedFetch) {
  return {
    [customFetch]: (url: string, init: RequestInit) => request(fetch, url, init),
    // The library would refuse http to loopback too; `requireSecureUrl` checks every address instead.
    [allowInsecureRequests]: true,
    signal: () => AbortSignal.timeout(answerWithinMs),
  };
}

/** Requests a metadata document, without credentials. */
export function requestMetadata(fetch: GuardedFetch, url: URL): Promise<Response> {
  const signal = AbortSignal.timeout(answerWithinMs);
  return request(fetch, url.href, { headers: { accept: 'application/json' }, signal });
}

async function request(fetch: GuardedFetch, url: string, init: RequestInit): Promise<Response> {
  return toStandardAnswer(await fetch(requireSecureUrl(url, 'address of the authorization server'), init));
}

/**
 * Removes the id token: it is not used, and the library would refuse one whose issuer it does not know. Adds the type of a
 * token: RFC 6749 requires it, some vendors (Shopify, Figma, ClickUp) leave it out, and mean a bearer token.
 */
async function toStandardAnswer(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const { status, headers } = response;
  const text = await response.text();
  const body = parseJson(text);
  const kept = new Headers(headers);
  kept.delete('content-length');
  kept.delete('content-encoding');
  if (!isJsonObject(body)) return new Response(text, { status, headers: kept });
  delete body['id_token'];
  if (body['access_token'] !== undefined) body['token_type'] ??= 'bearer';
  return new Response(JSON.stringify(body), { status, headers: kept });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
