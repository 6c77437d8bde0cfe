import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeApi } from '../../../scripts/describe-api/describe-api.ts';
import { modules } from '../../../src/main/modules.ts';
import { routes } from '../../../src/main/rest-routes.ts';
import { openConversation, plainAgent, startApi, startTurn, type Api } from '../../labs/api-lab.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

test('health requires no key, at the root and under /api', async () => {
  for (const prefix of ['', '/api']) {
    const live = await api.call('GET', `${prefix}/health/live`, { key: null });
    expect([live.status, live.data]).toEqual([200, { status: 'live' }]);
    const ready = await api.call('GET', `${prefix}/health/ready`, { key: null });
    expect([ready.status, ready.data]).toEqual([200, { status: 'ready', worker: false, stuckWorkflows: 0 }]);
    expect((await api.call('HEAD', `${prefix}/health/ready`, { key: null })).status).toBe(200);
  }
});

test('readiness names the part that is not ready', async () => {
  const lame = await startApi({
    isReady: () => Promise.resolve({ database: true, temporal: false, worker: false, stuckWorkflows: 0 }),
  });
  const { status, error } = await lame.call('GET', '/health/ready', { key: null });
  expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(error.details).toEqual({ database: true, temporal: false });
  expect((await lame.call('GET', '/health/live', { key: null })).status).toBe(200);
  await lame.stop();
});

async function findDocument() {
  const response = await fetch(`${api.url}/api/openapi.json`);
  return (await response.json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
  };
}

test('the OpenAPI document is the one that "npm run generate" writes', async () => {
  expect(await findDocument()).toEqual(await describeApi(modules));
});

test('the OpenAPI document has every endpoint, each with its own operationId and all its answers', async () => {
  const { openapi, paths } = await findDocument();
  expect(openapi).toBe('3.1.0');
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations).toHaveLength(routes.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length);
  for (const { responses } of operations) expect(Object.keys(responses)).toContain('500');
});

test('each request logs one line, with ids and without secrets or bodies', async () => {
  const { conversationId } = await openConversation(api);
  api.logLines.length = 0;
  const turnId = await startTurn(api, conversationId, 'a very private message');
  expect(api.logLines).toHaveLength(1);
  const line = JSON.parse(api.logLines[0] ?? '') as Record<string, unknown>;
  expect(line).toMatchObject({
    method: 'POST',
    route: '/api/conversations/:id/turns',
    status: 202,
    workspaceId: api.workspaceId,
    conversationId,
    turnId,
  });
  expect(api.logLines[0]).not.toContain('private');
  expect(api.logLines[0]).not.toContain(api.key.slice(-43));
});

test('every answer has the id of its request, which is also in the log', async () => {
  const { headers } = await api.call('GET', '/api/nothing');
  const id = headers.get('x-request-id') ?? '';
  expect(api.logLines.at(-1)).toContain(id);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
});

test('an internal error is answered with 500 and a request id, and its details are in the log only', async () => {
  const broken = await startApi({
    checkModelName: () => {
      throw new Error('inner secret');
    },
  });
  const { status, error, headers } = await broken.call('POST', '/api/agents', { body: plainAgent });
  expect([status, error.code]).toEqual([500, 'INTERNAL']);
  expect(error.details).toEqual({ requestId: headers.get('x-request-id') });
  expect(JSON.stringify(error)).not.toContain('inner secret');
  expect(broken.logLines.join('')).toContain('inner secret');
  await broken.stop();
});

test('a database that cannot be reached is answered with 503', async () => {
  const lonely = await startApi();
  await lonely.dropDatabase();
  const { status, error } = await lonely.call('GET', '/api/agents');
  expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  await lonely.stop();
});

function exchange(request: string): Promise<string> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  let answer = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (part) => (answer += part.toString()));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.write(request);
  });
}

test('malformed HTTP is answered with the error format of the API', async () => {
  const answer = await exchange('nonsense\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    success: false,
    error: { code: 'INVALID_INPUT' },
  });
});

test('headers that are too large are refused', async () => {
  const answer = await exchange(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('PAYLOAD_TOO_LARGE');
});

test.each(['/api/conversations', '/api/turns', '/api/recordings', '/api/usage', '/api/audit-events'])(
  '%s refuses a time that the database cannot hold, and takes one of any other offset',
  async (path) => {
    const refused = await api.call('GET', `${path}?to=2026-05-31T01:30:28%2B16:00`);
    expect([refused.status, refused.error.code]).toEqual([400, 'INVALID_INPUT']);
    const response = await fetch(`${api.url}${path}?to=2026-05-31T01:30:28%2B14:00`, {
      headers: { authorization: `Bearer ${api.key}` },
    });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  },
);
