import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExecutionRouter } from '../../src/providers/execution-router.ts';
import { loadProviders } from '../../src/providers/registry.ts';
import { noLimits, openTestConnection } from '../labs/open-connection.ts';
import { readRequestCases } from './requests/all-requests.ts';
import { findVendorFolder, readVendorDocument, toVendorDocument } from './vendor-documents.ts';
import { startVendorServer, type RecordedRequest, type VendorServer } from '../servers/vendor-server.ts';

const registry = await loadProviders();
const router = createExecutionRouter({ registry, limiter: noLimits });
const allRequests = await readRequestCases();

/**
 * Where a document is wrong about its own API: children of a page are declared as strings, its icon and cover as JSON
 * in a string. Requests are checked without these.
 */
const misdeclared: Record<string, string[]> = { 'notion createPage': ['children', 'icon', 'cover'] };

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer();
});
afterAll(() => server.close());

async function record(provider: string, operation: string): Promise<RecordedRequest> {
  const left = misdeclared[`${provider} ${operation}`] ?? [];
  const given = allRequests.get(provider)?.cases[operation]?.input ?? {};
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => !left.includes(name)));
  server.requests.length = 0;
  await router.executeMCPTool(
    provider,
    operation,
    input,
    openTestConnection({ provider, baseUrl: server.url }),
  );
  return server.requests[0] as RecordedRequest;
}

describe('the check against a vendor’s document', () => {
  const document = toVendorDocument({
    paths: {
      '/things/{id}': {
        put: {
          parameters: [{ name: 'notify', in: 'query', required: true, schema: { type: 'boolean' } }],
          requestBody: {
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
  for (const { name: provider, operations } of registry.listProviders()) {
    const document = await readVendorDocument(provider);
    if (document === null) continue;
    describe(`${provider} and its vendor's document`, () => {
      test('have the same operations', async () => {
        const made = [];
        for (const operation of Object.keys(operations))
          made.push(document.findOperation(await record(provider, operation)));
        const names = (list: ({ method: string; path: string } | undefined)[]) =>
          list.map((one) => `${one?.method ?? ''} ${one?.path ?? ''}`).sort();
        expect(names(made)).toEqual(names(document.operations));
      });

      test.each(Object.entries(operations))('have the same request for %s', async (name, operation) => {
        const request = await record(provider, name);
        expect(document.findProblems(request)).toEqual([]);
        const known = document.findOperation(request)?.fields;
        expect(known).toEqual(expect.arrayContaining(Object.keys(operation.input.shape)));
      });
    });
  }
}
