import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { routes } from '../../src/http/routes/all-routes.ts';
import { openConversation, startApi, startTurn, type Api } from './api-harness.ts';
import { expectRefusal } from './expect-refusal.ts';

let api: Api;
let ids: { agentId: string; conversationId: string; turnId: string };
beforeAll(async () => {
  api = await startApi();
  const { agentId, conversationId } = await openConversation(api);
  ids = { agentId, conversationId, turnId: await startTurn(api, conversationId) };
});
afterAll(() => api.stop());

const withBody = routes.filter(({ method }) => method === 'POST' || method === 'PATCH');
const guarded = routes.filter(({ path }) => !path.includes('/health/'));
const withId = guarded.filter(({ path }) => path.includes(':id'));
const lists = ['/api/agents', '/api/conversations', '/api/api-keys'];

function fill(path: string, id = newId()): string {
  return path.replace(':id', id).replace(':version', '1');
}

/** What an endpoint with a body takes, so that only the id is wrong. */
function validBody(path: string): object | undefined {
  if (path.endsWith('/turns')) return { message: 'a' };
  if (path.endsWith('/cancel')) return {};
  return path === '/api/agents/:id' ? { name: 'a' } : undefined;
}

describe('every endpoint', () => {
  test.each(guarded)('$method $path needs a key', async ({ method, path }) => {
    const run = () => api.call(method, fill(path), { key: null });
    await expectRefusal(api, run, { status: 401, code: 'UNAUTHORIZED' });
  });

  test.each(withId)('$method $path answers 404 for an id that does not exist', async ({ method, path }) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : validBody(path);
    await expectRefusal(api, () => api.call(method, fill(path), { body }), {
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  test.each(withId)('$method $path refuses a malformed id', async ({ method, path }) => {
    const body = method === 'GET' || method === 'DELETE' ? undefined : validBody(path);
    for (const id of ['1', 'x', `${newId()}x`, '%00', "'%20OR%201=1", '..%2f..', 'a'.repeat(90)]) {
      await expectRefusal(api, () => api.call(method, fill(path, id), { body }), {
        details: [{ field: 'id' }],
      });
    }
  });

  test.each(withBody)('$method $path refuses what is no JSON object', async ({ method, path }) => {
    const url = fill(path, path.includes('turns/:id') ? ids.turnId : ids.conversationId);
    for (const body of ['{', '{"a":}', 'nonsense', '"text"', '[]', '7', '{"__proto__":{"a":1}}', '\ufeff{']) {
      await expectRefusal(api, () => api.call(method, url, { body }), { details: [{ field: 'body' }] });
    }
    if (!path.endsWith('/cancel')) {
      for (const body of ['', 'null']) {
        const headers = { 'content-type': 'application/json' };
        await expectRefusal(api, () => api.call(method, url, { headers, body }), {
          details: [{ field: 'body' }],
        });
      }
    }
  });

  test.each(withBody)('$method $path refuses a body of more than 1 MiB', async ({ method, path }) => {
    const body = { message: 'x'.repeat(1024 * 1024) };
    await expectRefusal(api, () => api.call(method, fill(path), { body }), {
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    });
  });

  test.each(withBody)('$method $path refuses other types of content', async ({ method, path }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense']) {
      const run = () => api.call(method, fill(path), { body: '{}', headers: { 'content-type': type } });
      await expectRefusal(api, run, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    }
  });

  test.each(withBody)(
    '$method $path survives a body that is nested as deep as it is long',
    async ({ method, path }) => {
      const url = fill(path, path.includes('turns/:id') ? ids.turnId : ids.conversationId);
      const body = `{"message":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
      await expectRefusal(api, () => api.call(method, url, { body }));
      await expectRefusal(api, () => api.call(method, url, { body: `[${'0,'.repeat(500_000)}0]` }));
    },
  );

  test.each(routes)('$path names its methods to who uses another', async ({ path }) => {
    const { status, error, headers } = await api.call('PUT', fill(path));
    expect([status, error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.get('allow')).toMatch(/GET|POST|DELETE/);
  });
});

describe('a list', () => {
  test.each(lists)('%s refuses a page that can not be', async (path) => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1&limit=2',
      'limit=',
      'cursor=x',
      'cursor=',
      'page=2',
    ]) {
      await expectRefusal(api, () => api.call('GET', `${path}?${query}`));
    }
  });

  test.each(lists)('%s is empty after a place that does not exist', async (path) => {
    const { status } = await api.call('GET', `${path}?cursor=${newId()}`);
    expect(status).toBe(200);
  });
});

describe('an address', () => {
  test.each(['/api', '/api/nothing', '/api//agents', '/api/agents/x/y', '/API/agents'])(
    '%s where nothing is is answered with 404',
    async (path) => {
      await expectRefusal(api, () => api.call('GET', path), { status: 404, code: 'NOT_FOUND' });
    },
  );

  test('with broken percent-encoding or a part that is too long is refused', async () => {
    for (const id of ['%zz', 'a'.repeat(5000)]) {
      await expectRefusal(api, () => api.call('GET', `/api/agents/${id}`), { details: [{ field: 'path' }] });
    }
  });

  test('of a version that can not be is refused', async () => {
    for (const version of ['0', '-1', '1.5', 'x', '99999999999']) {
      const path = `/api/agents/${ids.agentId}/versions/${version}`;
      await expectRefusal(api, () => api.call('GET', path), { details: [{ field: 'version' }] });
    }
    const path = `/api/agents/${ids.agentId}/versions/999`;
    await expectRefusal(api, () => api.call('GET', path), { status: 404, code: 'NOT_FOUND' });
  });
});
