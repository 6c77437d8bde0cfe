import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { toParameterPairs } from '../../platform/lib/parameter-pairs.ts';
import type {
  BodyValue,
  HttpMethod,
  Operation,
  QueryValue,
  RequestParts,
  RequestTemplate,
} from './define-operation.ts';
import type { Provider } from './define-provider.ts';
import { encodeBody, toNestedPairs, type EncodedBody } from './encode-body.ts';
import { fillHeaders, fillPath, listPlaceholders } from './request-path.ts';

/** The input of an operation; a stored file stands in place of its id. */
export type RequestInput = Readonly<Record<string, BodyValue>>;

/** The fields of an operation that place its input. */
export type PlacingRules = Pick<
  Operation,
  | 'request'
  | 'headers'
  | 'graphql'
  | 'fixed'
  | 'query'
  | 'rename'
  | 'wrap'
  | 'styles'
  | 'bodyField'
  | 'needsBody'
>;

/** Splits a template into method and path. */
export function parseTemplate(template: RequestTemplate): { method: HttpMethod; path: string } {
  const space = template.indexOf(' ');
  return { method: template.slice(0, space) as HttpMethod, path: template.slice(space + 1) };
}

/**
 * Builds the request of an operation from an input that fits its schema.
 * @throws HoldfastError `INVALID_TOOL_ARGUMENTS` for a value that must not stand in a path or a header
 */
export function buildRequest(operation: PlacingRules, input: RequestInput): RequestParts {
  const { request, graphql } = operation;
  const headers = fillHeaders(operation.headers, input as JsonObject);
  const inHeaders = Object.values(operation.headers ?? {}).flatMap(listPlaceholders);
  const others = Object.entries(input).filter(([name]) => !inHeaders.includes(name));
  if (typeof request === 'function') {
    const parts = request(Object.fromEntries(others));
    return { ...parts, headers: { ...headers, ...parts.headers } };
  }
  const { method, path } = parseTemplate(request);
  const inPath = listPlaceholders(path);
  const rest = Object.entries({ ...operation.fixed, ...Object.fromEntries(others) }).filter(
    ([name, value]) => !inPath.includes(name) && value !== undefined,
  );
  const begun = { method, path: fillPath(path, input as JsonObject), headers };
  if (graphql === undefined) return { ...begun, ...toParts(operation, method, rest) };
  return { ...begun, body: { query: graphql, variables: Object.fromEntries(rest) as JsonObject } };
}

type Entry = [name: string, value: BodyValue];

function toParts(
  { query: queryFields, rename = {}, wrap, styles, bodyField, needsBody = false }: PlacingRules,
  method: HttpMethod,
  rest: Entry[],
): Pick<RequestParts, 'query' | 'body' | 'bodyField' | 'styles'> {
  const allInQuery =
    queryFields === undefined && (method === 'GET' || method === 'HEAD' || method === 'DELETE');
  const isQuery = ([name]: Entry) => allInQuery || queryFields?.includes(name) === true;
  const toName = (name: string) => rename[name] ?? name;
  const renamed = (entries: Entry[]) =>
    Object.fromEntries(entries.map(([name, value]) => [toName(name), value]));
  const query = rest.filter(isQuery);
  const body = rest.filter((entry) => !isQuery(entry));
  const takesBody = body.length > 0 || needsBody || (!allInQuery && queryFields === undefined);
  const fields = renamed(body);
  const styled = Object.entries(styles ?? {}).map(([name, style]) => [toName(name), style] as const);
  return {
    ...(query.length > 0 ? { query: renamed(query) as Record<string, QueryValue> } : {}),
    ...(styles === undefined ? {} : { styles: Object.fromEntries(styled) }),
    ...(takesBody ? { body: wrap === undefined ? fields : { [wrap]: fields as JsonObject } } : {}),
    ...(bodyField === undefined ? {} : { bodyField: toName(bodyField) }),
  };
}

/** A request in the form of `fetch`. */
export interface BuiltRequest {
  url: string;
  init: { method: HttpMethod; headers: Record<string, string>; body?: EncodedBody['body'] };
}

type RequestRules = Pick<Provider, 'headers' | 'bodyFormat' | 'listFormat'>;

/** Builds the request for `fetch` from its parts, the headers of its provider, and the body format of both. */
export function toFetchRequest(
  provider: RequestRules,
  baseUrl: string,
  { operation = {}, ...parts }: RequestParts & { operation?: Pick<Operation, 'bodyFormat' | 'mediaType'> },
): BuiltRequest {
  const { method, path, query = {}, body, bodyField, styles } = parts;
  const format = operation.bodyFormat ?? provider.bodyFormat ?? 'json';
  const listFormat = format === 'nested_form' ? 'nested' : provider.listFormat;
  const search = toSearch(query, { listFormat, styles });
  const url = `${baseUrl}${path}${search === '' ? '' : `?${search}`}`;
  const headers = {
    Accept: 'application/json',
    'User-Agent': 'holdfast',
    ...provider.headers,
    ...parts.headers,
  };
  if (body === undefined) return { url, init: { method, headers } };
  const encoded = encodeBody(format, body, bodyField);
  const type = operation.mediaType ?? encoded.type;
  return { url, init: { method, headers: { ...headers, 'Content-Type': type }, body: encoded.body } };
}

function toSearch(
  query: Readonly<Record<string, QueryValue>>,
  {
    listFormat: format = 'repeat',
    styles = {},
  }: { listFormat: Provider['listFormat'] | 'nested'; styles: RequestParts['styles'] },
): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    const style = styles[name];
    if (style) return toParameterPairs(name, value, style);
    if (format === 'nested') return toNestedPairs(name, value);
    if (!Array.isArray(value)) return [[name, toText(value)]];
    if (format === 'comma') return value.length === 0 ? [] : [[name, value.map(toText).join(',')]];
    return value.map((one) => [format === 'brackets' ? `${name}[]` : name, toText(one)]);
  });
  return new URLSearchParams(entries).toString();
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
