import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/domain/json.ts';
import { fillUrlVariables } from '../../src/domain/url-variables.ts';
import type { Operation } from '../../src/engines/providers/define-operation.ts';
import { createExecutionRouter } from '../../src/engines/providers/execution-router.ts';
import { readPath } from '../../src/engines/providers/read-answer.ts';
import { createProviderRegistry, openProviders } from '../../src/engines/providers/registry.ts';
import { listPlaceholders } from '../../src/engines/providers/request-path.ts';
import { noLimits, openTestConnection } from '../../test/labs/open-connection.ts';
import { readRequestCases } from './requests/all-requests.ts';
import { caseFile, caseFileId } from './requests/request-case.ts';
import { findVendorFolder, readVendorDocument, toBasePath, toVendorDocument } from './vendor-documents.ts';
import {
  startVendorServer,
  type RecordedRequest,
  type VendorServer,
} from '../../test/servers/vendor-server.ts';
import { shapeOf } from './shape-of.ts';

const catalogue = await (await openProviders()).listProviders();
const resultFiles = { put: () => Promise.resolve({ id: caseFileId }), get: () => Promise.resolve(caseFile) };
const router = createExecutionRouter({
  registry: createProviderRegistry(catalogue),
  limiter: noLimits,
  resultFiles,
});
const allRequests = await readRequestCases();

/**
 * Where a document is wrong about its own API: children of a page are declared as strings, its icon and cover as JSON
 * in a string. Requests are checked without these.
 */
const misdeclared: Record<string, string[]> = { 'notion createPage': ['children', 'icon', 'cover'] };

/** Where a document has no multipart body, which the vendor's documentation asks for when a file is uploaded. */
const uploads: Record<string, string> = {
  'telegram sendPhoto': 'multipart/form-data',
  'telegram sendDocument': 'multipart/form-data',
  'google-drive uploadFile': 'multipart/related',
};

/** Fields that only answers have, and that a document requires in requests, too. Requests are checked with these added. */
const recordOfAnswer = { id: 'x', proxiable: true, created_on: 'x', modified_on: 'x' };
const onlyInAnswers: Record<string, JsonObject> = {
  'cloudflare createDnsRecord': recordOfAnswer,
  'cloudflare updateDnsRecord': recordOfAnswer,
};

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer();
});
afterAll(() => server.close());

/** Records the request of an operation; its target begins at the base URL of the document. */
async function record(provider: string, operation: string, basePath: string): Promise<RecordedRequest> {
  const left = misdeclared[`${provider} ${operation}`] ?? [];
  const one = allRequests.get(provider)?.cases[operation];
  const input = Object.fromEntries(Object.entries(one?.input ?? {}).filter(([name]) => !left.includes(name)));
  server.requests.length = 0;
  server.forget();
  server.next(...(one?.answer === undefined ? [] : [{ body: one.answer }]));
  const connection = openTestConnection({ provider, baseUrl: server.url });
  await router.executeMCPTool(provider, operation, input, connection);
  const request = server.requests[0] as RecordedRequest;
  const place = toBasePath(findAddress(provider, operation));
  // An operation at another address of the vendor is a path with a server of its own in the document.
  const base = place.startsWith(basePath) ? basePath : place;
  return { ...request, target: `${place}${request.target}`.slice(base.length) };
}

/** The base URL of an operation, with the examples of its variables. */
function findAddress(provider: string, operation: string): string {
  const {
    baseUrl = '',
    variables = {},
    operations = {},
  } = catalogue.find(({ name }) => name === provider) ?? {};
  const examples = Object.entries(variables).map(([name, { example }]) => [name, example]);
  const values = Object.fromEntries(examples) as Record<string, string>;
  return fillUrlVariables(operations[operation]?.baseUrl ?? baseUrl, variables, values);
}

/** The fields of an operation as the vendor calls them, without those of its path, whose names are our own. */
function listFields(operation: Operation): string[] {
  const { input, request, rename = {}, idempotencyField, wrap, files = [], bodyFormat } = operation;
  if (wrap !== undefined) return [wrap];
  const inPath = typeof request === 'string' ? listPlaceholders(request) : [];
  const unnamed = bodyFormat === 'related' ? files : [];
  const own = Object.keys(shapeOf(input)).filter((name) => !inPath.includes(name) && !unnamed.includes(name));
  const names = own.map((name) => rename[name] ?? name);
  return [...names, ...(idempotencyField === undefined ? [] : [idempotencyField])];
}

/** The paths that the trimming of an answer, its paging and its result name and the documented answer does not have. */
function findLostPaths(
  { keep = [], result = '', paging }: Operation,
  example: JsonValue | undefined,
): string[] {
  if (example === undefined) return [];
  const place = paging?.items ?? result;
  if (place !== '' && isLost(example, place.split('.'))) return [place];
  const root = readPath(example, place);
  const items = Array.isArray(root) ? root[0] : root;
  if (items === undefined) return [];
  return keep.filter((path) => isLost(items, path.split('.')));
}

/** Stripe's document was cut to 30 properties of an object, Telegram's to 40. */
const cutLengths = [30, 40];

/** An object without properties or cut to its first ones, and a text in place of an object, are as far as the document goes. */
function isLost(value: JsonValue, [name = '', ...rest]: string[]): boolean {
  if (Array.isArray(value)) return value[0] !== undefined && isLost(value[0], [name, ...rest]);
  if (!isJsonObject(value) || [0, ...cutLengths].includes(Object.keys(value).length)) return false;
  const found = value[[name, ...rest].join('.')] ?? value[name];
  if (found === undefined) return true;
  return rest.length > 0 && value[[name, ...rest].join('.')] === undefined && isLost(found, rest);
}

describe('the check against a vendor’s document', () => {
  const document = toVendorDocument({
    paths: {
      '/things/{id}': {
        put: {
          parameters: [
            { name: 'notify', in: 'query', required: true, schema: { type: 'boolean' } },
            {
              name: 'select',
              in: 'query',
              explode: false,
              schema: { type: 'array', items: { enum: ['a', 'b'] } },
            },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } },
          },
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        thing: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, parts: { type: 'array', items: { type: 'integer' } } },
        },
      },
    },
  });
  const request = { method: 'PUT', headers: { 'content-type': 'application/json' } };
  const good = { ...request, target: '/things/1?notify=true', body: '{"name":"Kettle","parts":[1]}' };

  test('accepts a documented request, and finds the documented answer', () => {
    expect(document.findProblems(good)).toEqual([]);
    expect(document.toExample(good)).toEqual({ name: 'text', parts: [7] });
  });

  test('reads a list with commas where the document says so', () => {
    const select = (names: string) =>
      document.findProblems({ ...good, target: `${good.target}&select=${names}` });
    expect(select('a,b')).toEqual([]);
    expect(select('a,c')).not.toEqual([]);
  });

  test.each([
    ['another path', { target: '/thing/1?notify=true' }],
    ['another method', { method: 'POST' }],
    ['a query that is missing', { target: '/things/1' }],
    ['a query of another type', { target: '/things/1?notify=perhaps' }],
    ['a query that is not known', { target: '/things/1?notify=true&loud=1' }],
    ['a field that is missing', { body: '{"parts":[1]}' }],
    ['a field of another type', { body: '{"name":"Kettle","parts":["lid"]}' }],
    ['a field that is not known', { body: '{"name":"Kettle","colour":"red"}' }],
    ['no body', { body: '' }],
    ['a body of another kind', { headers: { 'content-type': 'text/plain' } }],
  ])('finds %s', (_, change) => {
    expect(document.findProblems({ ...good, ...change })).not.toEqual([]);
  });
});

// The documents belong to the vendors and are no part of this project: the test runs where they are present.
if (findVendorFolder() !== null) {
  test('a record says that it is unverified unless there is a document', async () => {
    for (const { name, unverified } of catalogue)
      expect((await readVendorDocument(name)) === null, name).toBe(unverified !== undefined);
  });

  for (const { name: provider, operations } of catalogue) {
    const document = await readVendorDocument(provider);
    if (document === null) continue;
    const { basePath } = document;
    describe(`${provider} and its vendor's document`, () => {
      test('have the same operations', async () => {
        const made = [];
        for (const operation of Object.keys(operations))
          made.push(document.findOperation(await record(provider, operation, basePath)));
        const names = (list: ({ method: string; path: string } | undefined)[]) =>
          [...new Set(list.map((one) => `${one?.method ?? ''} ${one?.path ?? ''}`))].sort();
        expect(names(made)).toEqual(names(document.operations));
      });

      test.each(Object.entries(operations))('have the same request for %s', async (name, operation) => {
        const request = await record(provider, name, basePath);
        const upload = uploads[`${provider} ${name}`];
        const unknown = upload === undefined ? [] : [`the body is ${upload}`];
        const more = onlyInAnswers[`${provider} ${name}`];
        const body = more
          ? JSON.stringify({ ...(JSON.parse(request.body) as JsonObject), ...more })
          : request.body;
        expect(document.findProblems({ ...request, body })).toEqual(unknown);
        const isTemplate = typeof operation.request === 'string' && operation.graphql === undefined;
        const known = document.findOperation(request)?.fields;
        if (isTemplate) expect(known).toEqual(expect.arrayContaining(listFields(operation)));
        expect(findLostPaths(operation, document.toExample(request))).toEqual([]);
      });
    });
  }
}
