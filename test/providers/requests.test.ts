import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExecutionRouter } from '../../src/providers/execution-router.ts';
import { loadProviders } from '../../src/providers/registry.ts';
import { noLimits, openTestConnection, testToken } from '../labs/open-connection.ts';
import { readRequestCases } from './requests/all-requests.ts';
import { startVendorServer, type VendorServer } from '../servers/vendor-server.ts';

const registry = await loadProviders();
const router = createExecutionRouter({ registry, limiter: noLimits });
const allRequests = await readRequestCases();

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer(() => ({ body: { ok: true } }));
});
afterAll(() => server.close());

test('every operation of every provider has a test case', () => {
  const operations = registry
    .listProviders()
    .map(({ name, operations: of }) => [name, Object.keys(of).sort()]);
  const cases = operations.map(([name]) => {
    const requests = allRequests.get(name as string);
    return [name, Object.keys(requests?.cases ?? {}).sort()];
  });
  expect(cases).toEqual(operations);
});

for (const [provider, { headers, contentType, cases }] of allRequests) {
  describe(provider, () => {
    for (const [operation, { input, method, target, body = '' }] of Object.entries(cases)) {
      test(`${operation} makes this one request`, async () => {
        server.requests.length = 0;
        const connection = openTestConnection({ provider, baseUrl: server.url });
        const result = await router.executeMCPTool(provider, `${provider}_${operation}`, input, connection);
        expect(result).toEqual({ status: 'succeeded', text: '{"ok":true}' });
        expect(server.requests).toMatchObject([{ method, target, body }]);
        const sent = server.requests[0]?.headers;
        expect(sent).toMatchObject({ ...headers, authorization: `Bearer ${testToken}` });
        expect(sent?.['content-type']).toBe(body === '' ? undefined : contentType);
      });
    }
  });
}
