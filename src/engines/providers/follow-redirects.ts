import type { GuardedFetch } from '../../platform/egress/guarded-fetch.ts';

const mostRedirects = 3;

interface Followed {
  /** The address that gave the response. */
  url: string;
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/**
 * Follows redirects to a file, without credentials: vendors keep files on other hosts and sign their addresses. A redirect
 * that leads nowhere, from https to http, or on after three others is returned as it is.
 */
export async function followRedirects(
  response: Response,
  { url, fetch, signal }: Followed,
): Promise<Response> {
  let current = response;
  let from = new URL(url);
  for (let count = 0; count < mostRedirects; count += 1) {
    const target = findTarget(current, from);
    if (!target) return current;
    await current.body?.cancel();
    current = await fetch(target, { signal });
    from = target;
  }
  return current;
}

function findTarget({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null) return null;
  const target = URL.parse(location, from.href);
  return target && (target.protocol === 'https:' || from.protocol === 'http:') ? target : null;
}
