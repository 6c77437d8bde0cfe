import type { OpenSecret } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import type { RequestCredentials } from '../../../domain/request-credentials.ts';

interface Secrets {
  credentials: RequestCredentials;
  opened: ReadonlyMap<string, OpenSecret>;
}

/**
 * Refuses a request that carries a secret elsewhere than where its connection puts it: a server may keep and show what is
 * in a path or a body, and a header of another name. The request has marks where the secrets will be.
 * @throws HoldfastError `EGRESS_REFUSED`
 */
export function checkPlaces(
  { credentials, opened }: Secrets,
  { url, init }: { url: string; init: RequestInit },
): void {
  for (const [mark, { name, field }] of Object.entries(credentials.secrets)) {
    const secret = opened.get(name);
    if (!secret) continue;
    const { places, plainFields } = secret;
    const isPlain = plainFields.includes(field);
    const allowed = [
      ...places.headers.map((header) => `the header ${header}`),
      ...places.query.map((parameter) => `the query parameter ${parameter}`),
    ];
    const found = listPlaces(mark, { credentials, url, init });
    const wrong = found.find((place) => isUnfit(place) || (!isPlain && !allowed.includes(place)));
    if (wrong === undefined) continue;
    const expected = isPlain ? 'headers and query parameters' : allowed.join(' or ') || 'nowhere';
    const message = `Expected the secret "${name}.${field}" in ${expected} alone, found it in ${wrong}.`;
    throw new HoldfastError('EGRESS_REFUSED', message, { retryable: false });
  }
}

function isUnfit(place: string): boolean {
  return place === 'the path' || place === 'the body';
}

interface MarkedRequest {
  credentials: RequestCredentials;
  url: string;
  init: RequestInit;
}

/** Lists the places of a request that have a mark. */
function listPlaces(mark: string, { credentials: { basic, bearer }, url, init }: MarkedRequest): string[] {
  const { pathname, searchParams } = new URL(url);
  const texts: [string, string][] = [
    ['the path', pathname],
    ['the body', typeof init.body === 'string' ? init.body : ''],
    ['the header authorization', [basic?.username, basic?.password, bearer?.token].join(' ')],
    ...[...searchParams].flatMap(([name, value]): [string, string][] => [
      [`the query parameter ${name}`, `${name} ${value}`],
    ]),
    ...[...new Headers(init.headers)].map(([name, value]): [string, string] => [`the header ${name}`, value]),
  ];
  return texts.filter(([, text]) => text.includes(mark)).map(([place]) => place);
}
