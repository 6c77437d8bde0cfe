import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { createExecutionRouter, type ProviderRun } from '../../../src/engines/providers/execution-router.ts';
import { createProviderRegistry, openProviders } from '../../../src/engines/providers/registry.ts';
import { shop } from '../../fixtures/shop.ts';
import { noLimits, openTestConnection, testToken } from '../../labs/open-connection.ts';
import { startVendorServer, type VendorServer } from '../../servers/vendor-server.ts';

const shopRegistry = createProviderRegistry([shop]);
const catalogue = await openProviders();
const router = createExecutionRouter({ registry: shopRegistry, limiter: noLimits });
const catalogueRouter = createExecutionRouter({ registry: catalogue, limiter: noLimits });

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

function connect(provider = 'shop') {
  return openTestConnection({ provider, baseUrl: server.url });
}

function call(tool: string, input: JsonObject, run?: ProviderRun) {
  return router.executeMCPTool('shop', tool, input, connect(), run);
}

test('the result is the JSON answer of the vendor', async () => {
  server.next({ body: { id: '7', name: 'Kettle' } });
  expect(await call('shop_getThing', { id: '7' })).toEqual({
    status: 'succeeded',
    text: '{"id":"7","name":"Kettle"}',
  });
});

test('an answer without a body becomes a result that says it succeeded', async () => {
  server.next({ status: 204 });
  expect(await call('ship', {})).toEqual({ status: 'succeeded', text: '{"status":204}' });
  expect(server.requests).toMatchObject([{ method: 'POST', target: '/shipments', body: '{}' }]);
});

test('a verification redacts a token that the vendor returns as a name', async () => {
  server.next({ body: { ok: true, user: testToken, team: 'us' } });
  expect(await catalogueRouter.verifyConnection(connect('slack'))).toEqual({
    ok: true,
    message: 'Connected as [redacted] in us.',
  });
});

test('an unknown operation or provider is a failed result', async () => {
  expect(await call('shop_sell', {})).toMatchObject({
    status: 'failed',
    error: {
      code: 'UNKNOWN_TOOL',
      message: 'Shop has no operation "shop_sell". It has: getThing, readFile, buy, ship.',
    },
  });
  expect(await router.executeMCPTool('market', 'market_buy', {}, connect())).toMatchObject({
    error: { code: 'TOOL_MISCONFIGURED' },
  });
});

test('invalid arguments are reported field by field, and nothing is sent', async () => {
  const result = await call('buy', { what: { sku: 7, count: 0, colour: 'red' }, when: 'now' });
  expect(result).toMatchObject({ status: 'failed', error: { code: 'INVALID_TOOL_ARGUMENTS' } });
  const { details } = (result as unknown as { error: { details: { field: string; message: string }[] } })
    .error;
  expect(details.map(({ field }) => field).sort()).toEqual(['what.colour', 'what.count', 'what.sku', 'when']);
  expect(details.every(({ message }) => message !== '')).toBe(true);
  expect(server.requests).toEqual([]);
});

test.each(['..', '.', ''])('the argument %j cannot change the path of a request', async (id) => {
  expect(await call('getThing', { id })).toMatchObject({
    error: { code: 'INVALID_TOOL_ARGUMENTS', details: [{ field: 'id' }] },
  });
  expect(server.requests).toEqual([]);
});

test('values in a path are encoded, and keep their slashes only when the path allows them', async () => {
  await call('getThing', { id: '../orders?all=1#x' });
  await call('readFile', { path: '/a b/c?d.txt' });
  expect(server.requests.map(({ target }) => target)).toEqual([
    '/things/..%2Forders%3Fall%3D1%23x',
    '/files/a%20b/c%3Fd.txt',
  ]);
  expect(await call('readFile', { path: 'a/../../orders' })).toMatchObject({
    error: { code: 'INVALID_TOOL_ARGUMENTS' },
  });
});

test('the model gets the vendor’s error message with the status', async () => {
  server.next({ status: 422, body: { message: 'We have no kettles.' } });
  expect(await call('buy', { what: { sku: 'k', count: 1 } })).toEqual({
    status: 'failed',
    error: { code: 'TOOL_FAILED', message: 'Shop: We have no kettles.', details: { status: 422 } },
  });
});

test('an error without a message, and a redirect, are reported by their status', async () => {
  server.next(
    { status: 404, body: '<html>' },
    { status: 302, headers: { location: 'https://evil.example/x' } },
  );
  expect(await call('getThing', { id: '7' })).toMatchObject({
    error: { code: 'TOOL_FAILED', message: 'Shop: It answered with HTTP 404.' },
  });
  await expect(call('getThing', { id: '7' })).rejects.toMatchObject({
    message: expect.stringContaining('HTTP 302 and points to https://evil.example/x') as string,
    code: 'TOOL_FAILED',
    sent: true,
    retryable: false,
  });
});

test('an error that Slack answers with status 200 is a failed result', async () => {
  const input = { channel: 'C1', text: 'Hi' };
  server.next(
    { body: { ok: false, error: 'channel_not_found' } },
    { body: { ok: false, error: 'missing_scope', needed: 'chat:write' } },
  );
  const results = [1, 2].map(() =>
    catalogueRouter.executeMCPTool('slack', 'slack_sendMessage', input, connect('slack')),
  );
  expect(
    (await Promise.all(results)).map((result) => result.status === 'failed' && result.error.message),
  ).toEqual(expect.arrayContaining(['Slack: channel_not_found', 'Slack: missing_scope: chat:write']));
});

test('the error of GitHub names the invalid fields', async () => {
  server.next({
    status: 422,
    body: { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing' }] },
  });
  const input = { owner: 'o', repo: 'r', title: 'T' };
  expect(
    await catalogueRouter.executeMCPTool('github', 'createIssue', input, connect('github')),
  ).toMatchObject({
    error: { message: 'GitHub: Validation Failed: title missing' },
  });
});

test('a text file of GitHub is returned as text, and a binary file as it came', async () => {
  const encoded = (bytes: Buffer) => ({ encoding: 'base64', content: bytes.toString('base64'), sha: 'abc' });
  const binary = Buffer.from([0xff, 0xfe, 0x00]);
  server.next({ body: encoded(Buffer.from('Té\n')) }, { body: encoded(binary) });
  const input = { owner: 'o', repo: 'r', path: 'a.txt' };
  const read = () => catalogueRouter.executeMCPTool('github', 'getContents', input, connect('github'));
  expect(await read()).toEqual({
    status: 'succeeded',
    text: '{"encoding":"utf-8","content":"Té\\n","sha":"abc"}',
  });
  expect(await read()).toMatchObject({ text: JSON.stringify(encoded(binary)) });
});

test('the idempotency key of the call is sent in the header of the vendor', async () => {
  await call('buy', { what: { sku: 'k', count: 1 } }, { idempotencyKey: 'key-1' });
  await call('ship', {}, { idempotencyKey: 'key-2' });
  expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['key-1', undefined]);
});

test('credentials that a vendor repeats are redacted', async () => {
  server.next(
    { status: 401, body: { message: `Bad token ${testToken}` } },
    { body: { youSent: `Bearer ${testToken}` } },
    { status: 503, body: { message: testToken } },
  );
  expect(JSON.stringify(await call('getThing', { id: '1' }))).toContain('Bad token [redacted]');
  expect(await call('getThing', { id: '1' })).toMatchObject({ text: '{"youSent":"Bearer [redacted]"}' });
  await expect(call('getThing', { id: '1' })).rejects.not.toThrow(testToken);
});

test('a connection is verified by a request of its provider', async () => {
  server.next(
    { body: { ok: true, user: 'robot', team: 'Kettles' } },
    { body: { ok: false, error: 'invalid_auth' } },
    'destroy',
  );
  const verify = () => catalogueRouter.verifyConnection(connect('slack'));
  expect(await verify()).toEqual({ ok: true, message: 'Connected as robot in Kettles.' });
  expect(await verify()).toEqual({ ok: false, message: 'Slack: invalid_auth' });
  expect(await verify()).toEqual({
    ok: false,
    message: 'The request to Slack failed before its answer was complete.',
  });
  expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
    Array.from({ length: 3 }, () => 'POST /auth.test'),
  );
});

test('a connection is tested by an error that only good credentials get', async () => {
  server.next({ status: 404, body: { error: { message: 'No such sheet' } } }, { status: 401, body: {} });
  const verify = () => catalogueRouter.verifyConnection(connect('google-sheets'));
  expect(await verify()).toEqual({ ok: true, message: 'Google Sheets accepted the credentials.' });
  expect(await verify()).toEqual({ ok: false, message: 'Google Sheets: It answered with HTTP 401.' });
});

test('a web search returns hits from every provider that has one', async () => {
  const hit = { title: 'Tea', url: 'https://tea.example/', description: 'All about tea.', age: '1 day' };
  server.next({ body: { web: { results: [hit] } } }, { status: 422, body: { error: { detail: 'No plan' } } });
  const brave = connect('brave-search');
  expect(await catalogueRouter.searchWeb(brave, { query: 'tea', count: 3 })).toEqual({
    status: 'succeeded',
    results: [{ title: 'Tea', url: 'https://tea.example/', snippet: 'All about tea.' }],
  });
  expect(await catalogueRouter.searchWeb(brave, { query: 'tea' })).toMatchObject({
    error: { code: 'TOOL_FAILED', message: 'Brave Search: No plan' },
  });
  expect(await catalogueRouter.searchWeb(connect('slack'), { query: 'tea' })).toMatchObject({
    error: { code: 'TOOL_NOT_CONFIGURED' },
  });
});
