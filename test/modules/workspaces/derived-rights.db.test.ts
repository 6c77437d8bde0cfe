import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Scope } from '../../../src/domain/scope.ts';
import { openConversation, startTurn, type Api, type ApiAnswer } from '../../labs/api-lab.ts';
import { startPeopleApi } from '../../labs/signed-people.ts';

let scene: Awaited<ReturnType<typeof startPeopleApi>>;
let api: Api;
beforeAll(async () => {
  scene = await startPeopleApi();
  ({ api } = scene);
});
afterAll(() => scene.stop());

/** Makes a request as `key`. */
function as(key: string, request: `${string} ${string}`, body?: object) {
  const [method = '', path = ''] = request.split(' ');
  return api.call(method, path, { key, body });
}

/** Asks for what has to succeed. */
async function ask<Data>(...asked: Parameters<typeof as>): Promise<Data> {
  const { status, data, error }: ApiAnswer = await as(...asked);
  if (status >= 300) throw new Error(error.message);
  return data as Data;
}

const statusOf = async (key: string, request: `${string} ${string}` = 'GET /api/session') =>
  (await as(key, request)).status;

async function makeKey(by: string, body: { scopes: Scope[]; actsFor?: string; groups?: string[] }) {
  const asked = { name: 'made', ...body };
  const { key, apiKey } = await ask<{ key: string; apiKey: { id: string } }>(by, 'POST /api/api-keys', asked);
  return { key, id: apiKey.id };
}

async function issue(by: string, body: object) {
  const { token, userToken } = await ask<{ token: string; userToken: { id: string } }>(
    by,
    'POST /api/user-tokens',
    body,
  );
  return { token, id: userToken.id };
}

async function identityOf(key: string) {
  const { identity } = await ask<{ identity: { scopes: Scope[]; groups: string[]; reach: string } }>(
    key,
    'GET /api/session',
  );
  return identity;
}

async function findPerson(subject: string) {
  const { people } = await ask<{ people: { id: string; subject: string; roles: string[] }[] }>(
    api.key,
    'GET /api/people?limit=100',
  );
  const found = people.find((one) => one.subject === subject);
  if (!found) throw new Error(`${subject} has not signed in`);
  return found;
}

const change = async (by: string, subject: string, active: boolean) =>
  as(by, `PATCH /api/people/${(await findPerson(subject)).id}`, { active });

/** Signs a person in, so that the roles of the token are the stored ones. */
async function signIn(subject: string, claims: Parameters<typeof scene.sign>[1]) {
  const token = await scene.sign(subject, claims);
  expect(await statusOf(token)).toBe(200);
  return token;
}

/** Opens a stream, and returns a promise for all that it sends until the server ends it. */
async function openStream(key: string, path: string): Promise<{ ended: Promise<string> }> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(api.url + path, { headers, signal: leaving.signal });
  expect(response.status).toBe(200);
  const ended = response.text();
  // A test that fails leaves before the stream ends.
  ended.catch(() => undefined);
  return { ended };
}

async function openCookie(key: string): Promise<string> {
  const { headers } = await api.call('POST', '/api/session', { key, body: {} });
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const browse = (cookie: string, path = '/api/session') =>
  api.call('GET', path, { key: null, headers: { cookie } });

describe('a token of a key that is bound to a person', () => {
  test('sees what that person sees, whatever its roles are', async () => {
    const { conversationId } = await openConversation(api);
    const bound = await api.createKey(
      api.workspaceId,
      ['user_tokens:write', 'conversations:read', 'conversations:write'],
      { actsFor: 'ann' },
    );
    const { token } = await issue(bound, { person: 'ann', roles: ['operator'] });
    expect(await identityOf(token)).toMatchObject({ person: 'ann', reach: 'own' });
    expect(await statusOf(token, `GET /api/conversations/${conversationId}`)).toBe(404);
    expect((await as(token, 'GET /api/conversations')).data.conversations).toEqual([]);
    const { token: free } = await issue(api.key, { person: 'ann', roles: ['operator'] });
    expect(await identityOf(free)).toMatchObject({ reach: 'workspace' });
  });
});

describe('a person who was deactivated', () => {
  test('is let in by no key of a key, and does not come back with one', async () => {
    const boss = await signIn('a3', { roles: ['admin'] });
    const scopes: Scope[] = ['api_keys:write', 'conversations:read'];
    const actsFor = 'a3@example.com';
    const first = await makeKey(boss, { scopes, actsFor });
    const second = await makeKey(first.key, { scopes, actsFor });
    const third = await makeKey(second.key, { scopes, actsFor });
    expect((await change(api.key, 'a3', false)).status).toBe(200);
    for (const key of [boss, first.key, second.key, third.key]) expect(await statusOf(key)).toBe(401);
    expect((await change(third.key, 'a3', true)).status).toBe(401);
    // A person who is let in again makes new keys.
    expect((await change(api.key, 'a3', true)).status).toBe(200);
    expect(await statusOf(boss)).toBe(200);
    for (const { key } of [first, second, third]) expect(await statusOf(key)).toBe(401);
  });

  test('was deactivated by a credential that may do as much', async () => {
    await signIn('b2admin', { roles: ['admin'] });
    await signIn('b2viewer', { roles: ['viewer'] });
    const weak = await api.createKey(api.workspaceId, ['api_keys:write']);
    const other = await api.createKey(
      api.workspaceId,
      (await identityOf(await scene.sign('b2admin', { roles: ['admin'] }))).scopes,
      { actsFor: 'bob' },
    );
    const admin = await signIn('b2other', { roles: ['admin'] });
    for (const key of [weak, other])
      for (const subject of ['b2admin', 'b2viewer']) {
        const refused = await change(key, subject, false);
        expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
      }
    expect((await change(admin, 'b2admin', false)).status).toBe(200);
    for (const key of [weak, other]) expect((await change(key, 'b2admin', true)).status).toBe(403);
    expect((await change(admin, 'b2admin', true)).status).toBe(200);
    expect((await change(admin, 'b2viewer', false)).status).toBe(200);
  });

  test('has tokens that only a credential with as much ends, or the key that issued them', async () => {
    const tokens: Scope[] = ['api_keys:write', 'user_tokens:write', 'conversations:read'];
    const bound = await api.createKey(api.workspaceId, tokens, { actsFor: 'bob' });
    const issuer = await api.createKey(api.workspaceId, ['user_tokens:write', 'conversations:read']);
    const { token, id } = await issue(issuer, { person: 'cleo', roles: ['viewer'] });
    expect((await as(bound, `DELETE /api/user-tokens/${id}`)).status).toBe(403);
    expect((await as(bound, 'DELETE /api/user-tokens?person=cleo')).status).toBe(403);
    expect(await statusOf(token)).toBe(200);
    expect((await as(issuer, `DELETE /api/user-tokens/${id}`)).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
  });
});

describe('who loses roles', () => {
  test('has open streams end, and reads nothing with new ones', async () => {
    const { conversationId } = await openConversation(api);
    await startTurn(api, conversationId);
    const former = await signIn('a4', { roles: ['operator'], iat: -60 });
    const streams = await Promise.all(
      [`/api/conversations/${conversationId}/events`, '/api/changes'].map((path) => openStream(former, path)),
    );
    await signIn('a4', { roles: ['viewer'] });
    await Promise.all(streams.map(({ ended }) => ended));
    expect(await statusOf(former, `GET /api/conversations/${conversationId}`)).toBe(404);
  });

  test('leaves keys, tokens and sessions with no more than the roles of today', async () => {
    const { conversationId } = await openConversation(api);
    const admin = await signIn('b1', { roles: ['admin'], groups: ['finance'], iat: -60 });
    const { scopes } = await identityOf(admin);
    const key = await makeKey(admin, { scopes, actsFor: 'b1@example.com', groups: ['finance'] });
    const next = await makeKey(key.key, { scopes, actsFor: 'b1@example.com', groups: ['finance'] });
    const body = { person: 'b1@example.com', roles: ['operator'], groups: ['finance'], minutes: 1_440 };
    const { token } = await issue(admin, body);
    const cookie = await openCookie(admin);
    expect(await statusOf(token, `GET /api/conversations/${conversationId}`)).toBe(200);
    const viewer = await signIn('b1', { roles: ['viewer'] });
    const today = await identityOf(viewer);
    for (const held of [key.key, next.key, token]) {
      const identity = await identityOf(held);
      expect(identity).toMatchObject({ reach: 'own', groups: [] });
      expect(today.scopes).toEqual(expect.arrayContaining(identity.scopes));
      expect(await statusOf(held, `GET /api/conversations/${conversationId}`)).toBe(404);
    }
    expect((await browse(cookie)).data).toMatchObject({ identity: { reach: 'own', scopes: today.scopes } });
  });

  test('gets none of them back by an older token', async () => {
    const former = await signIn('b6', { roles: ['admin'], groups: ['finance'], iat: -60 });
    const cookie = await openCookie(former);
    const viewer = await signIn('b6', { roles: ['viewer'] });
    const today = await identityOf(viewer);
    expect(await identityOf(former)).toEqual(today);
    expect(today).toMatchObject({ reach: 'own', groups: [] });
    expect((await findPerson('b6')).roles).toEqual(['viewer']);
    expect((await browse(cookie)).data).toMatchObject({ identity: { reach: 'own', scopes: today.scopes } });
    expect(await statusOf(former, 'GET /api/people')).toBe(403);
    // A token from before a promotion has no more than it says.
    const promoted = await signIn('b6', { roles: ['operator'], iat: 1 });
    expect(await identityOf(viewer)).toEqual(today);
    expect(await identityOf(promoted)).toMatchObject({ reach: 'workspace' });
  });
});

describe('a key that a user token made', () => {
  test('ends with the token, and so does what the key made', async () => {
    const { token, id } = await issue(api.key, { person: 'dora', roles: ['admin'] });
    const scopes: Scope[] = ['api_keys:write', 'user_tokens:write', 'conversations:read'];
    const made = await makeKey(token, { scopes, actsFor: 'dora' });
    const next = await makeKey(made.key, { scopes, actsFor: 'dora' });
    const below = await issue(next.key, { person: 'dora', roles: ['viewer'] });
    expect(await statusOf(below.token)).toBe(200);
    await as(api.key, `DELETE /api/user-tokens/${id}`);
    for (const key of [made.key, next.key, below.token]) {
      expect(await statusOf(key)).toBe(401);
      expect(await statusOf(key, 'GET /api/conversations')).toBe(401);
    }
  });
});

test('the last of sixteen keys makes no other one', async () => {
  let { key } = await makeKey(api.key, { scopes: ['api_keys:write', 'user_tokens:write'] });
  for (let links = 2; links < 16; links += 1)
    ({ key } = await makeKey(key, { scopes: ['api_keys:write', 'user_tokens:write'] }));
  expect(await statusOf(key)).toBe(200);
  for (const [path, body] of [
    ['api-keys', { name: 'more', scopes: ['api_keys:write'] }],
    ['user-tokens', { person: 'ann', roles: ['admin'] }],
  ] as const) {
    const { status, error } = await as(key, `POST /api/${path}`, body);
    expect([status, error.code, error.details]).toEqual([403, 'FORBIDDEN', { most: 16 }]);
  }
});

describe('a token of an identity provider', () => {
  test.each([['false'], ['true'], [0], [1], [null], [undefined], [false]])(
    'with "email_verified": %j lets nobody in',
    async (verified) => {
      const token = await scene.sign('b4', { roles: ['viewer'], email_verified: verified });
      const { status, error } = await as(token, 'GET /api/session');
      expect([status, error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(error.message).toContain('is not verified');
    },
  );

  test('takes its open streams with it when it ends', async () => {
    const { conversationId } = await openConversation(api);
    const token = await signIn('b5', { roles: ['operator'], exp: 2 });
    const paths = [`/api/conversations/${conversationId}/events`, '/api/changes'];
    const streams = await Promise.all(paths.map((path) => openStream(token, path)));
    await Promise.all(streams.map(({ ended }) => ended));
  });
});
