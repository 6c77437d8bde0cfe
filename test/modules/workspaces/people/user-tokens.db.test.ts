import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../../src/domain/scope.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, startApi, startTurn, type Api } from '../../../labs/api-lab.ts';
import { openStream } from '../../../labs/sse-reader.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({}, { HOLDFAST_API_ORIGINS: 'https://app.example.com' });
});
afterAll(() => api.stop());

interface Issued {
  token: string;
  userToken: { id: string; scopes: Scope[]; expiresAt: string; conversations: string[] | null };
}

async function issue(body: object, key?: string): Promise<Issued> {
  const { status, data, error } = await api.call(
    'POST',
    '/api/user-tokens',
    key === undefined ? { body } : { body, key },
  );
  if (status !== 201) throw new Error(error.message);
  return data as unknown as Issued;
}

const statusOf = async (
  key: string,
  path = '/api/conversations',
  request: { method?: string; body?: object } = {},
) => (await api.call(request.method ?? 'GET', path, { key, body: request.body })).status;

describe('a user token', () => {
  test('acts for its person, and sees nothing of others', async () => {
    const { agentId } = await openConversation(api);
    const [ann, bob] = await Promise.all([issue({ person: 'ann' }), issue({ person: 'bob' })]);
    const { data } = await api.call('POST', '/api/conversations', { key: ann.token, body: { agentId } });
    const path = `/api/conversations/${data.conversation.id}`;
    expect(data.conversation.person).toBe('ann');
    expect([await statusOf(ann.token, path), await statusOf(bob.token, path)]).toEqual([200, 404]);
    const listed = await api.call('GET', '/api/conversations', { key: bob.token });
    expect(listed.data.conversations).toEqual([]);
    await api.call('PATCH', path, { key: ann.token, body: { sharedWith: ['Bob'] } });
    expect(await statusOf(bob.token, path)).toBe(200);
  });

  test('has no more than the key that issued it', async () => {
    const key = await api.createKey(api.workspaceId, [
      'user_tokens:write',
      'conversations:read',
      'agents:write',
    ]);
    const { userToken } = await issue({ person: 'ann', roles: ['admin', 'editor'] }, key);
    expect(userToken.scopes.toSorted()).toEqual(['agents:write', 'conversations:read', 'user_tokens:write']);
    const refused = async (body: object, from = key) =>
      (await api.call('POST', '/api/user-tokens', { key: from, body })).error.code;
    expect(await refused({ person: 'ann', groups: ['finance'] })).toBe('FORBIDDEN');
    expect(await refused({ person: 'ann', roles: ['approver'], minutes: 1_441 })).toBe('INVALID_INPUT');
    const bound = await api.createKey(api.workspaceId, ['user_tokens:write', 'conversations:read'], {
      actsFor: 'ann',
    });
    expect(await refused({ person: 'bob' }, bound)).toBe('FORBIDDEN');
    expect((await issue({ person: 'Ann' }, bound)).userToken.scopes).toEqual(['conversations:read']);
    const admin = await issue({ person: 'ann', roles: ['admin'] });
    expect(await refused({ person: 'ann' }, admin.token)).toBe('FORBIDDEN');
    const weak = await api.createKey(api.workspaceId, ['user_tokens:write']);
    expect(await refused({ person: 'ann' }, weak)).toBe('FORBIDDEN');
    const without = await api.createKey(api.workspaceId, ['api_keys:write', 'conversations:read']);
    expect(await refused({ person: 'ann' }, without)).toBe('FORBIDDEN');
  });

  test('for some conversations sees these alone, and makes no others', async () => {
    const [one, two] = [await openConversation(api), await openConversation(api)];
    for (const { conversationId } of [one, two])
      await api.call('PATCH', `/api/conversations/${conversationId}`, { body: { sharedWith: ['ann'] } });
    const { token } = await issue({ person: 'ann', roles: ['admin'], conversations: [one.conversationId] });
    const path = (id: string) => `/api/conversations/${id}`;
    expect(await statusOf(token, path(one.conversationId))).toBe(200);
    expect(await statusOf(token, path(two.conversationId))).toBe(404);
    expect(
      await statusOf(token, `${path(two.conversationId)}/turns`, {
        method: 'POST',
        body: { message: 'Hello.' },
      }),
    ).toBe(404);
    expect(
      await statusOf(token, `${path(one.conversationId)}/turns`, {
        method: 'POST',
        body: { message: 'Hello.' },
      }),
    ).toBe(202);
    const { data } = await api.call('GET', '/api/conversations', { key: token });
    expect(data.conversations.map(({ id }) => id)).toEqual([one.conversationId]);
    for (const [method, url, body] of [
      ['POST', '/api/conversations', { agentId: one.agentId }],
      ['PATCH', path(one.conversationId), { sharedWith: 'workspace' }],
      ['GET', '/api/agents', undefined],
      ['GET', '/api/schedules', undefined],
      ['GET', '/api/audit-events', undefined],
      ['POST', '/api/user-tokens', { person: 'ann' }],
    ] as const) {
      const answer = await api.call(method, url, { key: token, body });
      expect([url, answer.status, answer.error.code]).toEqual([url, 403, 'FORBIDDEN']);
      expect(answer.error.message).toContain('for its conversations alone');
    }
  });

  test('ends with its key, by its id, and for its person, and its streams end too', async () => {
    const key = await api.createKey(api.workspaceId, [
      'user_tokens:write',
      'conversations:read',
      'conversations:write',
    ]);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => issue({ person: 'cleo' }, key)));
    const other = await issue({ person: 'cleo' });
    const of = (issued: Issued | undefined) => issued?.token ?? '';
    const { conversationId } = await openConversation(api);
    await api.call('PATCH', `/api/conversations/${conversationId}`, { body: { sharedWith: 'workspace' } });
    await startTurn(api, conversationId);
    const stream = await openStream(
      { ...api, key: of(first) },
      `/api/conversations/${conversationId}/events`,
    );
    await stream.next();

    await api.call('DELETE', `/api/user-tokens/${first?.userToken.id}`, { key });
    let read = await stream.next();
    while (!read.done) read = await stream.next();
    expect([await statusOf(of(first)), await statusOf(of(second))]).toEqual([401, 200]);
    expect(await statusOf(key, `/api/user-tokens/${other.userToken.id}`, { method: 'DELETE' })).toBe(404);
    await api.call('DELETE', '/api/user-tokens?person=cleo', { key });
    expect([await statusOf(of(second)), await statusOf(other.token)]).toEqual([401, 200]);

    const fourth = await issue({ person: 'cleo' }, key);
    const [, keyId = ''] = key.split('_');
    await api.call('DELETE', `/api/api-keys/${keyId}`);
    expect([await statusOf(of(third)), await statusOf(fourth.token)]).toEqual([401, 401]);
  });

  test('is no API key: neither in their list, nor by their name, nor revoked as one', async () => {
    const { token, userToken } = await issue({ person: 'ann' });
    const { data } = await api.call('GET', '/api/api-keys?limit=100');
    expect(data.apiKeys.map(({ id }) => id)).not.toContain(userToken.id);
    expect(await statusOf(api.key, `/api/api-keys/${userToken.id}`, { method: 'DELETE' })).toBe(404);
    expect(await statusOf(token.replace('holdfast_user_', 'holdfast_'))).toBe(401);
    expect(await statusOf(api.key.replace('holdfast_', 'holdfast_user_'))).toBe(401);
    const foreign = await api.createWorkspace();
    expect(await statusOf(foreign.key, `/api/user-tokens/${userToken.id}`, { method: 'DELETE' })).toBe(404);
    expect(await statusOf(token, `/api/conversations/${newId()}`)).toBe(404);
  });
});

describe('a page', () => {
  const preflight = (origin: string) =>
    fetch(`${api.url}/api/conversations`, {
      method: 'OPTIONS',
      headers: {
        ...{ origin, 'access-control-request-method': 'POST' },
        'access-control-request-headers': 'authorization,content-type',
      },
    });

  test('of an origin that is named may use the API, and of no other one', async () => {
    const allowed = await preflight('https://app.example.com');
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    for (const origin of [
      'https://evil.example.com',
      'https://app.example.com.evil.com',
      'http://app.example.com',
      'null',
    ]) {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull();
      const read = await fetch(`${api.url}/api/conversations`, {
        headers: { origin, authorization: `Bearer ${api.key}` },
      });
      expect(read.headers.get('access-control-allow-origin')).toBeNull();
      await read.body?.cancel();
    }
  });
});
