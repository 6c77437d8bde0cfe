import type { AuthorizedFetch } from '../domain/connection.ts';
import { HoldfastError } from '../domain/errors.ts';
import { unlessAborted } from '../lib/unless-aborted.ts';
import type { GuardedFetch } from '../egress/guarded-fetch.ts';
import type { CredentialHeader, Credentials } from './credentials.ts';

/** Headers that are removed from every request: a caller may not add credentials to those of the connection. */
const identifyingHeaders = ['authorization', 'proxy-authorization', 'cookie'];

interface AuthorizedFetchOptions {
  fetch: GuardedFetch;
  /** The only origin that credentials go to; null for none. */
  origin: string | null;
  credentials: Pick<Credentials, 'get' | 'renew' | 'note'>;
}

/**
 * Builds a fetch that adds credentials to requests to one origin and to no others, and follows no redirect. After a 401
 * it renews the credentials and repeats the request once, which is safe: the refused request took no effect. A refusal
 * that this does not mend sets the connection to `expired`.
 */
export function createAuthorizedFetch({
  fetch,
  origin,
  credentials,
}: AuthorizedFetchOptions): AuthorizedFetch {
  return async (url, init = {}) => {
    const send = (header: CredentialHeader | null) =>
      fetch(url, { ...init, headers: toHeaders(init, header) });
    if (origin === null || URL.parse(String(url))?.origin !== origin) return send(null);
    const header = await unlessTooLate(credentials.get(), init.signal);
    const response = await send(header);
    if (header === null) return response;
    // A stream cannot be sent again, so whether other credentials would do is not known.
    if (response.status === 401 && init.body instanceof ReadableStream) return response;
    const renewed =
      response.status === 401 ? await renew(credentials.renew(header), response, init.signal) : null;
    const last = renewed === null ? response : await send(renewed);
    await credentials.note(renewed ?? header, last);
    return last;
  };
}

/** Cancels the body of the 401 response, unless there are no other credentials and that response is the answer. */
async function renew(
  work: ReturnType<Credentials['renew']>,
  { body }: Response,
  signal: RequestInit['signal'],
): Promise<CredentialHeader | null> {
  let renewed: CredentialHeader | null | undefined;
  try {
    renewed = await unlessTooLate(work, signal);
    return renewed;
  } finally {
    // `body.cancel()` rejects when the response was aborted; that is expected.
    if (renewed !== null) await body?.cancel().catch(() => undefined);
  }
}

function toHeaders({ headers }: RequestInit, header: CredentialHeader | null): Headers {
  const all = new Headers(headers);
  for (const name of identifyingHeaders) all.delete(name);
  if (header) all.set(header.name, header.value);
  return all;
}

/**
 * Stops waiting for `work` when the signal aborts. The work goes on, since other requests may wait for the same token.
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
