import type { OpenSecret } from '../../../domain/connection.ts';
import { HoldfastError } from '../../../domain/errors.ts';
import { createRedactor, type Redact } from '../../../domain/redact.ts';
import type { RequestCredentials, RequestScheme } from '../../../domain/request-credentials.ts';
import { getToolService, type ToolServices } from '../tool-services.ts';
import { checkPlaces } from './secret-places.ts';
import type { FunctionRun } from './tool-function.ts';

declare module '../tool-services.ts' {
  interface ToolServices {
    /** Opens the connections of a workspace by name, for requests of routines. */
    secrets: { open: (request: { workspaceId: string; name: string }) => Promise<OpenSecret> };
  }
}

interface PlainRequest {
  url: string;
  init: RequestInit;
}

interface AuthorizedRequest extends PlainRequest {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces the secrets of the request in what the server answers. */
  redact: Redact;
}

interface RequestParts {
  workspaceId: string;
  fetch: AuthorizedRequest['fetch'];
  services: Partial<ToolServices>;
  credentials: RequestCredentials;
}

/** Returns a request as it is sent: with the secrets that its tool names, which go to their own origins alone. */
export async function toAuthorized(
  { tool, workspaceId, fetch, services }: FunctionRun,
  request: PlainRequest,
): Promise<AuthorizedRequest> {
  const credentials = tool.config.request;
  if (!credentials) return { ...request, fetch, redact: (text) => text };
  return authorizeRequest({ workspaceId, fetch, services, credentials }, request);
}

/**
 * Puts the values of secrets in the places of a request that stand for them.
 * @throws HoldfastError `EGRESS_REFUSED` for a request to another origin, and for a secret in a place that is not that of
 * its connection; `TOOL_MISCONFIGURED`; those of `openSecret`
 */
export async function authorizeRequest(
  { workspaceId, fetch, services, credentials }: RequestParts,
  { url, init }: PlainRequest,
): Promise<AuthorizedRequest> {
  const { connection, secrets } = credentials;
  const names = new Set(Object.values(secrets).map(({ name }) => name));
  if (connection) names.add(connection.name);
  const opened = new Map<string, OpenSecret>();
  for (const name of names) {
    const secret = await getToolService(services, 'secrets').open({ workspaceId, name });
    checkOrigin(name, secret, url);
    opened.set(name, secret);
  }
  const values = toValues(credentials, opened);
  checkPlaces({ credentials, opened }, { url, init });
  const own = connection && opened.get(connection.name);
  if (connection && own) checkScheme(connection, own);
  const authorization = toAuthorization(credentials, values);
  const redactor = createRedactor(values.size > 0 && authorization !== null ? [authorization] : []);
  const redacts = [...opened.values()].map(({ redact }) => redact);
  return {
    url: replaceAll(url, values, encodeURIComponent),
    init: toInit(init, values, authorization),
    fetch: own ? own.fetch : fetch,
    redact: (text, options) =>
      [...redacts, redactor.redact].reduce((shown, redact) => redact(shown, options), text),
  };
}

/** Refuses a request to another origin, which would get the secret. */
function checkOrigin(name: string, { origin }: OpenSecret, url: string): void {
  if (origin !== null && URL.parse(url)?.origin === origin) return;
  const place = origin === null ? 'nowhere, since its connection has no endpoint' : `to ${origin} alone`;
  throw new HoldfastError('EGRESS_REFUSED', `The secret "${name}" goes ${place}.`, { retryable: false });
}

const types: Record<RequestScheme, OpenSecret['type'][]> = {
  basic: ['basic'],
  bearer: ['bearer', 'oauth2_client_credentials', 'oauth2_authorization_code'],
  oauth2: ['oauth2_client_credentials', 'oauth2_authorization_code'],
};

function checkScheme({ name, scheme }: { name: string; scheme: RequestScheme }, { type }: OpenSecret): void {
  if (types[scheme].includes(type)) return;
  const message = `The authentication "${scheme}" needs a connection of type ${types[scheme].join(' or ')}; "${name}" is of type ${type}.`;
  throw new HoldfastError('TOOL_MISCONFIGURED', message);
}

function toValues({ secrets }: RequestCredentials, opened: Map<string, OpenSecret>): Map<string, string> {
  return new Map(
    Object.entries(secrets).map(([text, { name, field }]) => {
      const fields = opened.get(name)?.fields ?? {};
      const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (value !== undefined) return [text, value];
      const known = Object.keys(fields).join(', ') || 'none';
      const message = `The secret "${name}" has no field "${field}". It has: ${known}.`;
      throw new HoldfastError('TOOL_MISCONFIGURED', message);
    }),
  );
}

function toAuthorization({ basic, bearer }: RequestCredentials, values: Map<string, string>): string | null {
  const fill = (text: string) => replaceAll(text, values, (value) => value);
  if (bearer) return `Bearer ${fill(bearer.token)}`;
  if (!basic) return null;
  const pair = `${fill(basic.username)}:${fill(basic.password)}`;
  return `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
}

function toInit(init: RequestInit, values: Map<string, string>, authorization: string | null): RequestInit {
  const given = new Headers(init.headers);
  const type = given.get('content-type') ?? '';
  const headers = new Headers(
    [...given].map(([name, text]) => [name, replaceAll(text, values, (value) => value)]),
  );
  if (authorization !== null) headers.set('authorization', authorization);
  const { body } = init;
  const encode = /json/i.test(type) ? toJsonPart : /urlencoded/i.test(type) ? encodeURIComponent : String;
  return {
    ...init,
    headers,
    ...(typeof body === 'string' ? { body: replaceAll(body, values, encode) } : {}),
  };
}

/** The text as it stands between the quotes of a JSON string. */
function toJsonPart(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function replaceAll(text: string, values: Map<string, string>, encode: (value: string) => string): string {
  let filled = text;
  for (const [mark, value] of values) filled = filled.replaceAll(mark, () => encode(value));
  return filled;
}
