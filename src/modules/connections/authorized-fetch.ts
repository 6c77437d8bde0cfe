import type { AuthorizedFetch } from '../../domain/connection.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { unlessAborted } from '../../platform/lib/unless-aborted.ts';
import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';
import type { CredentialParts, Credentials } from './credentials.ts';

/** Headers that are removed from every request: a caller may not add credentials to those of the connection. */
const identifyingHeaders = ['authorization', 'proxy-authorization', 'cookie'];

interface AuthorizedFetchOptions {
  fetch: GuardedFetch;
  /** The only origins that credentials go to: that of the connection, and others of the same vendor. */
  origins: readonly string[];
  credentials: Pick<Credentials, 'get' | 'renew' | 'note'>;
}

/**
 * Builds a fetch that adds credentials to requests to these origins and to no others, and follows no redirect. After a 401
 * it renews the credentials and repeats the request once, which is safe: the refused request took no effect. A refusal
 * that this does not mend sets the connection to `expired`.
 */
export function createAuthorizedFetch({
  fetch,
  origins,
  credentials,
}: AuthorizedFetchOptions): AuthorizedFetch {
  return async (url, init = {}) => {
    const send = (parts: CredentialParts | null) =>
      fetch(toUrl(url, parts), { ...init, headers: toHeaders(init, parts) });
    if (!origins.includes(URL.parse(String(url))?.origin ?? '')) return send(null);
    const parts = await unlessTooLate(credentials.get(), init.signal);
    const response = await send(parts);
    if (parts === null) return response;
    // A stream cannot be sent again, so whether other credentials would do is not known.
    if (response.status === 401 && init.body instanceof ReadableStream) return response;
    const renewed =
      response.status === 401 ? await renew(credentials.renew(parts), response, init.signal) : null;
    const last = renewed === null ? response : await send(renewed);
    await credentials.note(renewed ?? parts, last);
    return last;
  };
}

/** Cancels the body of the 401 response, unless there are no other credentials and that response is the answer. */
async function renew(
  work: ReturnType<Credentials['renew']>,
  { body }: Response,
  signal: RequestInit['signal'],
): Promise<CredentialParts | null> {
  let renewed: CredentialParts | null | undefined;
  try {
    renewed = await unlessTooLate(work, signal);
    return renewed;
  } finally {
    // `body.cancel()` rejects when the response was aborted; that is expected.
    if (renewed !== null) await body?.cancel().catch(() => undefined);
  }
}

function toHeaders({ headers }: RequestInit, parts: CredentialParts | null): Headers {
  const all = new Headers(headers);
  for (const name of identifyingHeaders) all.delete(name);
  for (const [name, value] of Object.entries(parts?.headers ?? {})) all.set(name, value);
  return all;
}

/**
 * Fills in the secrets of a path and of the query. Arguments of a call cannot contain a placeholder: `fillPath` and
 * `URLSearchParams` encode braces.
 */
function toUrl(url: string | URL, parts: CredentialParts | null): string | URL {
  const query = Object.entries(parts?.query ?? {});
  const path = Object.entries(parts?.path ?? {});
  if (query.length === 0 && path.length === 0) return url;
  const filled = path.reduce(
    (text, [name, key]) => text.replace(`{${name}}`, () => toSegment(key)),
    String(url),
  );
  const target = new URL(filled);
  for (const [name, value] of query) target.searchParams.set(name, value);
  return target;
}

/** A colon may stand in a path as it is, and Telegram's tokens have one. */
function toSegment(key: string): string {
  return encodeURIComponent(key).replaceAll('%3A', ':');
}

/**
 * Stops waiting for `work` when the signal aborts. The work continues, since other requests may wait for the same token.
 * @throws HoldfastError `AUTHORIZATION_FAILED` and not the reason of the signal, since the request took no effect: it
 * was not sent, or it was refused
 */
async function unlessTooLate<Result>(
  work: Promise<Result>,
  signal: AbortSignal | null | undefined,
): Promise<Result> {
  if (!signal) return work;
  const message = 'The credentials of the connection were not available in time.';
  const toError = (cause: unknown) =>
    new HoldfastError('AUTHORIZATION_FAILED', message, { retryable: true, cause });
  return unlessAborted(signal, () => work, toError);
}
