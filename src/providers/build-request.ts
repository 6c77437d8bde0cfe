import type { JsonObject, JsonValue } from '../domain/json.ts';
import type {
  HttpMethod,
  Operation,
  Provider,
  QueryValue,
  RequestParts,
  RequestTemplate,
} from './define-provider.ts';
import { fillPath, listPlaceholders } from './request-path.ts';

/** Splits a template into method and path. */
export function parseTemplate(template: RequestTemplate): { method: HttpMethod; path: string } {
  const space = template.indexOf(' ');
  return { method: template.slice(0, space) as HttpMethod, path: template.slice(space + 1) };
}

/**
 * Builds the request of an operation from an input that fits its schema.
 * @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a value that must not stand in a path
 */
export function buildRequest({ request, query: queryFields }: Operation, input: JsonObject): RequestParts {
  if (typeof request === 'function') return request(input);
  const { method, path } = parseTemplate(request);
  const inPath = new Set(listPlaceholders(path));
  const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && isGiven(value));
  const allInQuery = queryFields === undefined && (method === 'GET' || method === 'DELETE');
  const query = rest.filter(([name]) => allInQuery || queryFields?.includes(name));
  const body = rest.filter((entry) => !query.includes(entry));
  const takesBody = body.length > 0 || (!allInQuery && queryFields === undefined);
  return {
    method,
    path: fillPath(path, input),
    ...(query.length > 0 ? { query: Object.fromEntries(query) as Record<string, QueryValue> } : {}),
    ...(takesBody ? { body: Object.fromEntries(body) } : {}),
  };
}

function isGiven(value: JsonValue | undefined): boolean {
  return value !== undefined;
}

/** A request in the form of `fetch`. */
export interface BuiltRequest {
  url: string;
  init: { method: HttpMethod; headers: Record<string, string>; body?: string };
}

/** Builds the request for `fetch` from its parts and the headers and body format of its provider. */
export function toFetchRequest(
  provider: Pick<Provider, 'headers' | 'bodyFormat'>,
  baseUrl: string,
  { method, path, query = {}, body }: RequestParts,
): BuiltRequest {
  const search = toSearchParams(query).toString();
  const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
  const headers = { Accept: 'application/json', 'User-Agent': 'holdfast', ...provider.headers };
  if (body === undefined) return { url, init: { method, headers } };
  const isForm = provider.bodyFormat === 'form';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const text = isForm ? toForm(body) : JSON.stringify(body);
  return { url, init: { method, headers: { ...headers, 'Content-Type': type }, body: text } };
}

function toSearchParams(query: Readonly<Record<string, QueryValue>>): URLSearchParams {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  return new URLSearchParams(entries);
}

/** Encodes a body as a form: texts as they are, all other values as JSON. */
function toForm(body: NonNullable<RequestParts['body']>): string {
  const entries = Object.entries(body).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
  return new URLSearchParams(entries).toString();
}
