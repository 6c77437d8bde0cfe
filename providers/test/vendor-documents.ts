import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../src/domain/json.ts';
import { isJsonObject } from '../../src/domain/json.ts';
import type { RecordedRequest } from '../../test/servers/vendor-server.ts';

const projectFolder = path.join(import.meta.dirname, '../..');

/** An operation that a vendor's document describes. */
export interface DocumentedOperation {
  method: string;
  path: string;
  /** Names of the parameters of its path and query, and of the fields of its body. */
  fields: string[];
}

/** A vendor's OpenAPI document, with which requests are checked. */
export interface VendorDocument {
  /** The path of its base URL. */
  basePath: string;
  operations: DocumentedOperation[];
  /** Finds the operation of a request. */
  findOperation: (request: RecordedRequest) => DocumentedOperation | undefined;
  /** Returns what is wrong with a request, in sentences; empty for a request that the document declares. */
  findProblems: (request: RecordedRequest) => string[];
  /** Returns an example of the vendor's success answer to a request. */
  toExample: (request: RecordedRequest) => JsonValue | undefined;
}

/** The folder of the vendors' documents: named by the environment, or beside the project; null when there is none. */
export function findVendorFolder(): string | null {
  const folder =
    process.env['HOLDFAST_VENDOR_OPENAPI'] ?? path.join(projectFolder, '../shared/vendor-openapi');
  return existsSync(path.join(folder, 'index.json')) ? folder : null;
}

interface Index {
  providers: {
    provider: string;
    file: string;
    base_url: string;
    operations: { method: string; path: string }[];
  }[];
}

/** Reads the document of a provider; null when there is none. */
export async function readVendorDocument(provider: string): Promise<VendorDocument | null> {
  const folder = findVendorFolder();
  if (folder === null) return null;
  const index = JSON.parse(await readFile(path.join(folder, 'index.json'), 'utf8')) as Index;
  const entry = index.providers.find((one) => one.provider === provider);
  if (!entry) return null;
  const document = JSON.parse(await readFile(path.join(folder, entry.file), 'utf8')) as OpenApi;
  const everywhere = new URL(entry.base_url).hostname.endsWith('.googleapis.com') ? ofAllGoogleApis : [];
  return { ...toVendorDocument(document, everywhere), basePath: toBasePath(entry.base_url) };
}

/** Parameters of every method, which the documents leave out: https://cloud.google.com/apis/docs/system-parameters */
const ofAllGoogleApis: Parameter[] = [
  { name: 'fields', in: 'query', schema: { type: 'string' } },
  { name: 'alt', in: 'query', schema: { enum: ['json', 'media'] } },
  { name: 'uploadType', in: 'query', schema: { enum: ['media', 'multipart', 'resumable'] } },
];

/** The path of an address without the slash at the end. */
export function toBasePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}

interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components?: JsonObject;
}

interface OpenApiOperation {
  parameters?: (JsonObject & Partial<Parameter>)[];
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonObject }> };
  responses: Record<string, { content?: Record<string, { schema: JsonObject }> }>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  /** `false`: a list is one value with commas. */
  explode?: boolean;
  schema?: JsonObject;
}

interface Endpoint {
  method: string;
  path: string;
  pattern: RegExp;
  operation: OpenApiOperation;
  parameters: Parameter[];
}

/** Makes a check of an OpenAPI document; `everywhere` are parameters of all its operations. */
export function toVendorDocument(document: OpenApi, everywhere: Parameter[] = []): VendorDocument {
  const resolve = (value: JsonValue | undefined) =>
    resolveReference(document as unknown as JsonObject, value);
  const endpoints = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]): Endpoint => {
        const shared = (item['parameters'] as unknown as JsonValue[] | undefined) ?? [];
        const own = [...shared, ...(operation.parameters ?? [])].map(resolve) as unknown as Parameter[];
        const parameters = [...own, ...everywhere];
        return {
          method: method.toUpperCase(),
          path: template,
          pattern: toPattern(template),
          operation,
          parameters,
        };
      }),
  );
  // Of two templates that fit, the one with fewer placeholders is meant.
  const exact = endpoints.toSorted((one, other) => countPlaceholders(one) - countPlaceholders(other));
  const find = ({ method, target }: RecordedRequest) =>
    exact.find((endpoint) => endpoint.method === method && endpoint.pattern.test(toPathname(target)));
  const toOperation = (endpoint: Endpoint): DocumentedOperation => ({
    method: endpoint.method,
    path: endpoint.path,
    fields: [...endpoint.parameters.map(({ name }) => name), ...listBodyFields(endpoint, resolve)],
  });
  return {
    basePath: '',
    operations: endpoints.map(toOperation),
    findOperation: (request) => {
      const endpoint = find(request);
      return endpoint && toOperation(endpoint);
    },
    findProblems: (request) => {
      const endpoint = find(request);
      if (!endpoint) return [`${request.method} ${request.target} is not in the document`];
      return [
        ...checkQuery(document, endpoint, request),
        ...checkHeaders(endpoint, request),
        ...checkBody(document, endpoint, request),
      ];
    },
    toExample: (request) => {
      const responses = find(request)?.operation.responses ?? {};
      const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
      const schema = success?.content?.['application/json']?.schema;
      return schema && toExample(resolve, schema);
    },
  };
}

type Resolve = (value: JsonValue | undefined) => JsonValue | undefined;

function resolveReference(document: JsonObject, value: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(value) || typeof value.$ref !== 'string') return value;
  const parts = value.$ref.split('/').slice(1);
  const found = parts.reduce<JsonValue | undefined>(
    (at, part) => (isJsonObject(at) ? at[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
    document,
  );
  return resolveReference(document, found);
}

/** GitHub calls the path of a file `{path}`, which has slashes. */
function toPattern(template: string): RegExp {
  const source = template
    .split(/(\{[^}]+\})/)
    .map((part) =>
      part === '{path}'
        ? '.+'
        : part.startsWith('{')
          ? '[^/]+'
          : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`);
}

function countPlaceholders({ path: template }: Endpoint): number {
  return template.split('{').length;
}

function toPathname(target: string): string {
  return target.split('?')[0] ?? '';
}

function listBodyFields({ operation }: Endpoint, resolve: Resolve): string[] {
  return Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    listProperties(schema, resolve),
  );
}

/** The names of the properties of a schema and of its alternatives. */
function listProperties(schema: JsonValue | undefined, resolve: Resolve): string[] {
  const resolved = resolve(schema);
  if (!isJsonObject(resolved)) return [];
  const parts = [resolved.allOf, resolved.oneOf, resolved.anyOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  const own = isJsonObject(resolved.properties) ? Object.keys(resolved.properties) : [];
  return [...own, ...parts.flatMap((part) => listProperties(part, resolve))];
}

function createAjv(coerceTypes: boolean | 'array') {
  return new Ajv2020({ strict: false, validateFormats: false, allErrors: true, coerceTypes, logger: false });
}

/** Several values of one name are a list, and brackets are levels: `items[0][price]`. */
function toObject(search: URLSearchParams): JsonObject {
  const found: JsonObject = {};
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    const keys = name.split(/\[|\]\[|\]/).filter((key, index) => index === 0 || key !== '');
    const isList = values.length > 1 || name.endsWith('[]');
    place(found, keys, isList ? values : (values[0] ?? ''));
  }
  return toLists(found) as JsonObject;
}

function place(into: JsonObject, [key = '', ...rest]: string[], value: JsonValue): void {
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const below = into[key];
  const inner = isJsonObject(below) ? below : {};
  into[key] = inner;
  place(inner, rest, value);
}

function toLists(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]): [string, JsonValue] => [key, toLists(one)]);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

function toBodyFields({ body, headers }: RecordedRequest, type: string): JsonObject {
  if (type === 'application/x-www-form-urlencoded') return toObject(new URLSearchParams(body));
  if (type !== 'multipart/form-data') return JSON.parse(body) as JsonObject;
  const boundary = /boundary=(.*)$/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(parts.map(toField));
}

/** A part of a multipart body; JSON text counts as its value. */
function toField(part: string): [string, JsonValue] {
  const end = part.indexOf('\r\n\r\n');
  const text = part.slice(end + 4, -2);
  const name = /name="([^"]*)"/.exec(part.slice(0, end))?.[1] ?? '';
  return [name, /^[{[]/.test(text) ? (JSON.parse(text) as JsonValue) : text];
}

function checkQuery(
  { components = {} }: OpenApi,
  { parameters }: Endpoint,
  { target }: RecordedRequest,
): string[] {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const query = toObject(new URL(target, 'http://vendor').searchParams);
  for (const { name, explode, schema } of known) {
    const value = query[name];
    if (explode === false && schema?.type === 'array' && typeof value === 'string')
      query[name] = value.split(',');
  }
  const ajv = createAjv('array');
  const schema = {
    type: 'object',
    properties: Object.fromEntries(known.map((parameter) => [parameter.name, parameter.schema ?? {}])),
    required: known.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
    components,
  };
  if (ajv.validate(schema, query)) return [];
  return [`the query does not fit: ${ajv.errorsText()} (${JSON.stringify(query)})`];
}

/** Credentials are not among the headers that a document requires. */
function checkHeaders({ parameters }: Endpoint, { headers }: RecordedRequest): string[] {
  const required = parameters.filter((one) => one.in === 'header' && one.required === true);
  const missing = required.filter(({ name }) => headers[name.toLowerCase()] === undefined);
  return missing.map(({ name }) => `the header ${name} is missing`);
}

function checkBody(
  document: OpenApi,
  { method, path: template, operation }: Endpoint,
  request: RecordedRequest,
) {
  const { requestBody } = operation;
  if (!requestBody) return request.body === '' ? [] : ['a body was sent, and none is known'];
  if (request.body === '') return requestBody.required === true ? ['no body was sent'] : [];
  const type = request.headers['content-type']?.split(';')[0] ?? '';
  if (!(type in requestBody.content)) return [`the body is ${type}`];
  const ajv = createAjv(type === 'application/json' ? false : 'array').addSchema(document, 'vendor');
  const place = ['paths', template, method.toLowerCase(), 'requestBody', 'content', type, 'schema'];
  const pointer = place
    .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent);
  if (type === 'application/octet-stream') return [];
  const body = toBodyFields(request, type);
  const problems = ajv.validate({ $ref: `vendor#/${pointer.join('/')}` }, body) ? [] : [ajv.errorsText()];
  const resolve: Resolve = (value) => resolveReference(document as unknown as JsonObject, value);
  const known = listBodyFields({ operation } as Endpoint, resolve);
  const unknown = known.length === 0 ? [] : Object.keys(body).filter((name) => !known.includes(name));
  return [...problems, ...unknown.map((name) => `the body has ${name}, which is not known`)];
}

const maxDepth = 6;

/** A value that fits a schema, with all of its properties; objects that hold themselves end after some levels. */
function toExample(resolve: Resolve, schema: JsonValue | undefined, depth = 0): JsonValue {
  const known = resolve(schema);
  if (!isJsonObject(known)) return 'anything';
  if ('const' in known) return known.const ?? null;
  if (Array.isArray(known.enum)) return known.enum[0] ?? null;
  const choice = [known.oneOf, known.anyOf].find(Array.isArray)?.[0] as JsonValue | undefined;
  if (choice !== undefined) {
    const chosen = toExample(resolve, choice, depth);
    if (!isJsonObject(known.properties)) return chosen;
    return {
      ...(toExample(resolve, { properties: known.properties }, depth) as JsonObject),
      ...(chosen as JsonObject),
    };
  }
  if (Array.isArray(known.allOf))
    return Object.assign({}, ...known.allOf.map((part) => toExample(resolve, part, depth))) as JsonObject;
  const type = [known.type].flat()[0];
  if (type === 'array') return depth > maxDepth ? [] : [toExample(resolve, known.items, depth + 1)];
  if (type === 'object' || known.properties !== undefined) {
    const entries = depth > maxDepth ? [] : Object.entries((known.properties ?? {}) as JsonObject);
    return Object.fromEntries(entries.map(([name, part]) => [name, toExample(resolve, part, depth + 1)]));
  }
  return (
    scalars[typeof type === 'string' ? type : ''] ??
    (known.format === 'date-time' ? '2026-03-01T09:00:00Z' : 'text')
  );
}

const scalars: Record<string, JsonValue> = { integer: 7, number: 7.5, boolean: true, null: null };
