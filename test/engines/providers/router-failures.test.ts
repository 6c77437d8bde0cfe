import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { HoldfastError } from '../../../src/domain/errors.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { RateLimiter, RateLimitRequest } from '../../../src/domain/rate-limiter.ts';
import { createExecutionRouter, type ProviderRun } from '../../../src/engines/providers/execution-router.ts';
import { createProviderRegistry } from '../../../src/engines/providers/registry.ts';
import { shop } from '../../fixtures/shop.ts';
import { noLimits, openTestConnection } from '../../labs/open-connection.ts';
import { slack } from '../../../providers/catalogue/slack.ts';
import { startVendorServer, type VendorReply, type VendorServer } from '../../servers/vendor-server.ts';

const shopRegistry = createProviderRegistry([shop]);
const router = createExecutionRouter({ registry: shopRegistry, limiter: noLimits });

let server: VendorServer;
beforeAll(async () => {
  server = await startVendorServer();
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.close());

function connect() {
  return openTestConnection({ provider: 'shop', baseUrl: server.url });
}

function call(tool: string, input: JsonObject, run?: ProviderRun) {
  return router.executeMCPTool('shop', tool, input, connect(), run);
}

test('a long answer is read up to 1 MiB and marked as cut', async () => {
  server.next({ body: 'x'.repeat(3 * 1024 * 1024), headers: { 'content-length': String(3 * 1024 * 1024) } });
  const result = await call('getThing', { id: '1' });
  expect(result).toMatchObject({ status: 'succeeded', truncatedBytes: 2 * 1024 * 1024 });
  expect(result.status === 'succeeded' && result.text.length).toBeLessThan(1024 * 1024 + 100);
  expect(
    result.status === 'succeeded' && result.text.endsWith('[the answer is longer; the rest was not read]'),
  ).toBe(true);
});

test.each([500, 502, 503, 408])('HTTP %i is thrown as an unknown outcome of a sent call', async (status) => {
  server.next({ status, body: { message: 'Out to lunch' } });
  await expect(call('ship', {})).rejects.toMatchObject({
    code: 'TOOL_UNAVAILABLE',
    message: `Shop answered with HTTP ${status}: Out to lunch.`,
    sent: true,
  });
});

test('a socket that closes after the request was sent leaves the outcome unknown', async () => {
  server.next('destroy');
  await expect(call('ship', {})).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE', sent: true });
});

test('a call that cannot connect fails as not sent', async () => {
  const gone = await startVendorServer();
  await gone.close();
  const connection = openTestConnection({ provider: 'shop', baseUrl: gone.url });
  await expect(router.executeMCPTool('shop', 'ship', {}, connection)).rejects.toMatchObject({
    code: 'TOOL_UNREACHABLE',
    sent: false,
  });
});

test('a call times out when the vendor does not answer', async () => {
  server.next('hang');
  await expect(call('ship', {}, { timeoutMs: 150 })).rejects.toMatchObject({
    code: 'TOOL_TIMED_OUT',
    message: 'Shop did not answer within 150 ms.',
    sent: true,
  });
});

test('an aborted call ends with the reason of its signal', async () => {
  server.next('hang');
  const controller = new AbortController();
  const reason = new Error('the turn stops');
  const result = call('ship', {}, { signal: controller.signal });
  // The rejection is expected below; until then it must not count as unhandled.
  result.catch(() => undefined);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), 10_000);
  controller.abort(reason);
  await expect(result).rejects.toBe(reason);
  await expect(call('ship', {}, { signal: controller.signal })).rejects.toBe(reason);
  expect(server.requests).toHaveLength(1);
});

test('a refusal by the connection is a failed result, and a temporary error is retried', async () => {
  const refusing = (error: Error) =>
    openTestConnection({ provider: 'shop', baseUrl: server.url, fetch: () => Promise.reject(error) });
  const message = 'Connection Test connection is expired. Please reconnect.';
  const expired = refusing(new HoldfastError('CONNECTION_NOT_ACTIVE', message));
  expect(await router.executeMCPTool('shop', 'ship', {}, expired)).toEqual({
    status: 'failed',
    error: { code: 'CONNECTION_NOT_ACTIVE', message },
  });
  const busy = refusing(new HoldfastError('SERVICE_UNAVAILABLE', 'No database.'));
  await expect(router.executeMCPTool('shop', 'ship', {}, busy)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    sent: false,
  });
});

test('a rate-limited call waits as long as the vendor asks, when there is time', async () => {
  server.next({ status: 429, headers: { 'retry-after': '1' } }, { body: { done: true } });
  expect(await call('ship', {})).toEqual({ status: 'succeeded', text: '{"done":true}' });
  expect(server.requests).toHaveLength(2);
});

test('a rate-limited call that would wait too long returns the time of the next try', async () => {
  server.next(
    { status: 429, headers: { 'retry-after': '90' } },
    { status: 403, headers: { 'retry-after': '45' }, body: { message: 'secondary rate limit' } },
    { status: 429, body: { message: 'Slow down' } },
  );
  expect(await call('ship', {})).toEqual({
    status: 'failed',
    error: {
      code: 'RATE_LIMITED',
      message: 'The rate limit of Shop is reached; nothing was done. Try again in 90 seconds.',
      details: { retryAfterMs: 90_000 },
    },
  });
  expect(await call('ship', {})).toMatchObject({
    error: { code: 'RATE_LIMITED', details: { retryAfterMs: 45_000 } },
  });
  expect(await call('ship', {})).toMatchObject({
    error: {
      code: 'RATE_LIMITED',
      message: 'Shop takes no more requests for now (Slow down). Try again later.',
    },
  });
});

test('the limit of the connection takes precedence over that of the operation, and that over the provider’s', async () => {
  const requests: RateLimitRequest[] = [];
  const limiter: RateLimiter = {
    take: (request) => {
      requests.push(request);
      return Promise.resolve({ granted: false, retryAfterMs: 12_000 });
    },
  };
  const limited = createExecutionRouter({ registry: shopRegistry, limiter });
  const plain = connect();
  const own = { tokensPerMinute: 5, tokensPerRequest: 1 };
  const limitedConnection = openTestConnection({ provider: 'shop', baseUrl: server.url, rateLimit: own });
  const run = { timeoutMs: 10_000 };
  const first = await limited.executeMCPTool('shop', 'getThing', { id: '1' }, plain, run);
  await limited.executeMCPTool('shop', 'ship', {}, plain, run);
  await limited.executeMCPTool('shop', 'getThing', { id: '1' }, limitedConnection, run);
  expect(requests.map(({ key, limit }) => ({ key, limit }))).toEqual([
    { key: `${plain.connection.id}:getThing`, limit: { tokensPerMinute: 10, tokensPerRequest: 2 } },
    { key: plain.connection.id, limit: { tokensPerMinute: 30, tokensPerRequest: 1 } },
    { key: limitedConnection.connection.id, limit: own },
  ]);
  expect(requests.every(({ maxWaitMs }) => maxWaitMs > 7_000 && maxWaitMs <= 8_000)).toBe(true);
  expect(first).toMatchObject({
    error: {
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/of the connection Test connection is reached.*in 12 seconds/) as string,
    },
  });
  expect(server.requests).toEqual([]);
});

test('a vendor that asks for a wait of 0 is not called in a tight loop', async () => {
  const away: VendorReply = { status: 429, headers: { 'retry-after': '0' } };
  server.next(...Array.from({ length: 200 }, () => away));
  expect(await call('ship', {}, { timeoutMs: 3_000 })).toMatchObject({
    status: 'failed',
    error: { code: 'RATE_LIMITED' },
  });
  expect(server.requests.length).toBeLessThan(5);
  server.forget();
});

test('an answer in which a vendor says that the outcome is unknown leaves it unknown', async () => {
  const slackOf = openTestConnection({ provider: 'slack', baseUrl: server.url });
  const slackRouter = createExecutionRouter({ registry: createProviderRegistry([slack]), limiter: noLimits });
  server.next({ body: { ok: false, error: 'fatal_error' } });
  const request = { channel: 'C1', text: 'Hi' };
  await expect(slackRouter.executeMCPTool('slack', 'sendMessage', request, slackOf)).rejects.toMatchObject({
    code: 'TOOL_UNAVAILABLE',
    message: 'Slack answered with HTTP 200: fatal_error.',
    sent: true,
  });
});

test('half a surrogate pair in a path is refused as an invalid argument', async () => {
  expect(await call('getThing', { id: 'a\ud800' })).toMatchObject({
    status: 'failed',
    error: { code: 'INVALID_TOOL_ARGUMENTS' },
  });
  expect(server.requests).toEqual([]);
});
