import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes, type Scope } from '../../../../src/domain/scope.ts';
import { openConversation, startApi, type Api, type CallOptions } from '../../../labs/api-lab.ts';
import { chainAudit } from '../../../labs/chain-audit.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { eventually } from '../../../labs/eventually.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

/** Opens a session with a key or token, and returns the cookie that a browser keeps and the header that set it. */
async function open(key = api.key, body: object = {}) {
  const { status, headers, error } = await api.call('POST', '/api/session', { key, body });
  if (status !== 201) throw new Error(error.message);
  const [header = ''] = headers.getSetCookie();
  return { header, cookie: header.split(';')[0] ?? '' };
}

/** Sends a request as a page of the API does. */
function browse(
  cookie: string,
  request: `${string} ${string}` = 'GET /api/session',
  { headers, ...more }: CallOptions = {},
) {
  const [method = '', path = ''] = request.split(' ');
  const sent = { cookie, ...(method === 'GET' ? {} : { origin: api.url }), ...headers };
  return api.call(method, path, { key: null, ...more, headers: sent });
}

async function issueToken(body: object, key = api.key) {
  const { data } = await api.call('POST', '/api/user-tokens', { key, body });
  return data as unknown as { token: string; userToken: { id: string } };
}

describe('a session', () => {
  test('is a cookie that no script reads, and does what its key may do', async () => {
    const key = await api.createKey(api.workspaceId, ['conversations:read', 'agents:read'], {
      actsFor: 'Ann',
    });
    const { header, cookie } = await open(key, { minutes: 10 });
    expect(header).toMatch(
      /^holdfast_session=holdfast_session_[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/,
    );
    const { status, data } = await browse(cookie);
    expect([status, data]).toMatchObject([
      200,
      {
        identity: {
          ...{ workspaceId: api.workspaceId, person: 'Ann', reach: 'own' },
          scopes: ['conversations:read', 'agents:read'],
        },
      },
    ]);
    expect((await browse(cookie, 'GET /api/agents')).status).toBe(200);
    expect((await browse(cookie, 'GET /api/audit-events')).error.code).toBe('FORBIDDEN');
    expect(await api.database.system('sessions').pluck('secret_hash')).not.toContainEqual(Buffer.alloc(32));
  });

  test('is sent over TLS alone where the API has such an address', async () => {
    const secure = await startApi({}, { HOLDFAST_PUBLIC_URL: 'https://holdfast.example.com/agents' });
    try {
      const { headers } = await secure.call('POST', '/api/session', { body: {} });
      const [header = ''] = headers.getSetCookie();
      expect(header).toMatch(/; Path=\/agents\/; .*; SameSite=Strict; Secure$/);
      const [cookie = ''] = header.split(';');
      const post = (origin: string) =>
        secure.call('DELETE', '/api/session', { key: null, headers: { cookie, origin } });
      expect((await post('https://holdfast.example.com.evil.example')).error.code).toBe('FORBIDDEN');
      expect((await post('https://holdfast.example.com')).status).toBe(200);
    } finally {
      await secure.stop();
    }
  });

  test('is ended on the server, and its streams with it', async () => {
    const { conversationId } = await openConversation(api);
    const [one, two] = [await open(), await open()];
    const read = (cookie: string) =>
      fetch(`${api.url}/api/conversations/${conversationId}/events`, { headers: { cookie } });
    const [ended, other] = await Promise.all([read(one.cookie), read(two.cookie)]);
    expect([ended.status, other.status]).toEqual([200, 200]);
    const done = await browse(one.cookie, 'DELETE /api/session');
    expect(done.headers.getSetCookie()).toEqual([expect.stringMatching(/^holdfast_session=; .*Max-Age=0;/)]);
    expect((await browse(one.cookie)).error.code).toBe('UNAUTHORIZED');
    // The body ends when the server ends the stream.
    await ended.text();
    expect((await browse(two.cookie)).status).toBe(200);
    await other.body?.cancel();
    await chainAudit(api.database.system);
    const types = await api.database
      .system('audit_events')
      .where({ workspace_id: api.workspaceId })
      .pluck<string[]>('type');
    expect(types).toEqual(expect.arrayContaining(['session.opened', 'session.ended']));
  });

  test('ends with its time, its key, its token and what its key may do', async () => {
    const key = await api.createKey(api.workspaceId, [...scopes]);
    const ofKey = await open(key);
    const { token, userToken } = await issueToken({ person: 'Ann', roles: ['editor'] });
    const ofToken = await open(token);
    const overdue = await open(key);
    const newest = await api.database.system('sessions').orderBy('id', 'desc').first<{ id: string }>('id');
    await api.database.system('sessions').where({ id: newest.id }).update({ expires_at: new Date() });
    expect((await browse(overdue.cookie)).error.code).toBe('UNAUTHORIZED');

    const id = key.split('_')[1] ?? '';
    await api.database
      .system('api_keys')
      .where({ id })
      .update({ scopes: ['agents:read'] });
    expect((await browse(ofKey.cookie, 'GET /api/agents')).status).toBe(200);
    expect((await browse(ofKey.cookie, 'GET /api/conversations')).error.code).toBe('FORBIDDEN');
    await api.call('DELETE', `/api/api-keys/${id}`);
    await eventually(
      async () => (await browse(ofKey.cookie)).status,
      (status) => status === 401,
    );

    expect((await browse(ofToken.cookie)).data).toMatchObject({ identity: { person: 'Ann' } });
    await api.call('DELETE', `/api/user-tokens/${userToken.id}`);
    expect((await browse(ofToken.cookie)).error.code).toBe('UNAUTHORIZED');
  });

  test('of a token for some conversations sees these alone', async () => {
    const [one, two] = [await openConversation(api), await openConversation(api)];
    for (const { conversationId } of [one, two])
      await api.call('PATCH', `/api/conversations/${conversationId}`, { body: { sharedWith: ['ann'] } });
    const { token } = await issueToken({ person: 'Ann', conversations: [one.conversationId] });
    const { cookie } = await open(token);
    expect((await browse(cookie, `GET /api/conversations/${one.conversationId}`)).status).toBe(200);
    expect((await browse(cookie, `GET /api/conversations/${two.conversationId}`)).status).toBe(404);
  });

  test('stores work in the name of its key, which outlives it', async () => {
    const { agentId } = await openConversation(api);
    const { cookie } = await open();
    const action = { kind: 'turn', agentId, message: 'Report.' };
    const body = { name: 'Report', times: { interval: { everyMs: 3_600_000 } }, action };
    const { data, status } = await browse(cookie, 'POST /api/schedules', { body });
    expect(status).toBe(201);
    const { id } = (data as unknown as { schedule: { id: string } }).schedule;
    const stored = await api.database
      .system('schedules')
      .where({ id })
      .first<{ created_by: object }>('created_by');
    expect(stored.created_by).toMatchObject({ apiKeyId: api.key.split('_')[1] });
  });

  test('ends when a hundred others of its key were opened after it', async () => {
    const key = await api.createKey(api.workspaceId, ['agents:read']);
    const [first, second] = [await open(key), await open(key)];
    for (let count = 0; count < 99; count += 1) await open(key);
    expect((await browse(first.cookie)).status).toBe(401);
    expect((await browse(second.cookie)).status).toBe(200);
  });

  test('opens no other one, and a key ends none', async () => {
    const { cookie } = await open();
    expect((await browse(cookie, 'POST /api/session', { body: {} })).error.code).toBe('FORBIDDEN');
    expect((await api.call('DELETE', '/api/session')).error.code).toBe('CONFLICT');
    expect((await api.call('GET', '/api/session')).data).toMatchObject({
      identity: { sessionExpiresAt: null },
    });
  });
});

/** Requests with the cookie of somebody who is signed in, as other pages and programs send them. */
const attacks: Record<string, (cookie: string) => Promise<{ status: number }>> = {
  'a form of another site': (cookie) => post(cookie, { origin: 'https://evil.example' }),
  'a page without an origin': (cookie) => post(cookie, {}),
  'a page that hides its origin': (cookie) => post(cookie, { origin: 'null' }),
  'another port of the same host': (cookie) => post(cookie, { origin: 'http://127.0.0.1:1' }),
  'a host that begins like this one': (cookie) => post(cookie, { origin: `${api.url}.evil.example` }),
  'a sibling domain': (cookie) => post(cookie, { origin: api.url, 'sec-fetch-site': 'same-site' }),
  'another site that says it is this one': (cookie) =>
    post(cookie, { origin: api.url, 'sec-fetch-site': 'cross-site' }),
  'a script of another site that reads': (cookie) =>
    browse(cookie, 'GET /api/agents', { headers: { 'sec-fetch-site': 'cross-site' } }),
  'a page of another origin that reads': (cookie) =>
    browse(cookie, 'GET /api/agents', { headers: { origin: 'https://evil.example' } }),
  'a form that somebody typed into the address bar': (cookie) =>
    post(cookie, { origin: api.url, 'sec-fetch-site': 'none' }),
  'another secret': (cookie) => browse(cookie.replace(/.{4}$/, 'AAAA')),
  'another id': (cookie) => browse(cookie.replace(/_[0-9a-f]{8}-/, '_00000000-')),
  'the secret of a session as a key': (cookie) =>
    api.call('GET', '/api/agents', { key: cookie.replace('holdfast_session=', '') }),
  'the secret of a session in the form of a key': (cookie) =>
    api.call('GET', '/api/agents', {
      key: cookie.replace('holdfast_session=holdfast_session_', 'holdfast_'),
    }),
  'a key as a cookie': () => browse(`holdfast_session=${api.key}`),
  'a key in the form of a session': () =>
    browse(`holdfast_session=${api.key.replace('holdfast_', 'holdfast_session_')}`),
  'a wrong key beside the cookie': (cookie) => browse(cookie, 'GET /api/agents', { key: 'wrong' }),
  'an empty cookie': () => browse('holdfast_session='),
  'a cookie of another name': (cookie) => browse(cookie.replace('holdfast_session=', 'session=')),
};

function post(cookie: string, headers: Record<string, string>) {
  const body = { name: 'Evil', model: 'demo', instructions: '' };
  return api.call('POST', '/api/agents', { key: null, headers: { cookie, ...headers }, body });
}

test.each(Object.keys(attacks))('%s gets nothing', async (name) => {
  const { cookie } = await open();
  const before = await api.database.system('agents').where({ workspace_id: api.workspaceId });
  expect([401, 403]).toContain((await attacks[name]?.(cookie))?.status);
  expect(await api.database.system('agents').where({ workspace_id: api.workspaceId })).toHaveLength(
    before.length,
  );
  expect((await browse(cookie)).status).toBe(200);
});

test('a page may know the API by another name of its host', async () => {
  const { cookie } = await open();
  const host = new URL(api.url).host.replace('127.0.0.1', 'localhost');
  const response = await fetch(`http://${host}/api/session`, {
    method: 'DELETE',
    headers: { cookie, origin: `http://${host}` },
  });
  expect(response.status).toBe(200);
});

test('every scope alone may open a session', async () => {
  for (const scope of ['audit:read', 'webhooks:read', 'conversations:write'] satisfies Scope[]) {
    const { cookie } = await open(await api.createKey(api.workspaceId, [scope]));
    expect((await browse(cookie)).data).toMatchObject({ identity: { scopes: [scope] } });
  }
});
