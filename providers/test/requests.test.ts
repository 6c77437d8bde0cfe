import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExecutionRouter } from '../../src/engines/providers/execution-router.ts';
import { openProviders } from '../../src/engines/providers/registry.ts';
import { noLimits, openTestConnection, testToken } from '../../test/labs/open-connection.ts';
import { readRequestCases } from './requests/all-requests.ts';
import { caseFile, caseFileId } from './requests/request-case.ts';
import { startVendorServer, type VendorServer } from '../../test/servers/vendor-server.ts';

const registry = await openProviders();
const resultFiles = { put: () => Promise.resolve({ id: caseFileId }), get: () => Promise.resolve(caseFile) };
const router = createExecutionRouter({ registry, limiter: noLimits, resultFiles });
const allRequests = await readRequestCases();

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer(() => ({ body: { ok: true } }));
});
afterAll(() => server.close());

test('every operation of every provider has a test case', async () => {
  const catalogue = await registry.listProviders();
  const operations = catalogue.map(({ name, operations: of }) => [name, Object.keys(of).sort()]);
  const cases = operations.map(([name]) => {
    const requests = allRequests.get(name as string);
    return [name, Object.keys(requests?.cases ?? {}).sort()];
  });
  expect(cases).toEqual(operations);
});

for (const [provider, { headers, contentType = 'application/json', cases }] of allRequests) {
  describe(provider, () => {
    for (const [operation, one] of Object.entries(cases)) {
      test(`${operation} makes this one request`, async () => {
        const { input, method, target, body = '', bodyHas, answer } = one;
        server.requests.length = 0;
        server.next(...(answer === undefined ? [] : [{ body: answer }]));
        const connection = openTestConnection({ provider, baseUrl: server.url });
        const result = await router.executeMCPTool(provider, `${provider}_${operation}`, input, connection);
        expect(result).toMatchObject({ status: 'succeeded' });
        expect(server.requests).toMatchObject([{ method, target, ...(bodyHas ? {} : { body }) }]);
        const [sent] = server.requests;
        const found = bodyHas?.map((text) => sent?.body.indexOf(text) ?? -1) ?? [];
        expect(found).toEqual(found.filter((index) => index >= 0).sort((first, second) => first - second));
        const expected = { ...headers, ...one.headers, authorization: `Bearer ${testToken}` };
        expect(sent?.headers).toMatchObject(expected);
        const type = sent?.headers['content-type'] ?? '';
        expect(type.split(';')[0]).toBe(sent?.body === '' ? '' : (one.contentType ?? contentType));
      });
    }
  });
}
