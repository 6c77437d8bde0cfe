import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startApi, type Api, type ApiAnswer } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { chainAudit } from '../../labs/chain-audit.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});
afterAll(() => api.stop());

const bearer = { type: 'bearer', token: 'sk-planted-secret-value-1234' };

function create(body: Record<string, unknown>): Promise<ApiAnswer> {
  return api.call('POST', '/api/connections', {
    body: { name: `Name ${newId()}`, provider: 'slack', ...body },
  });
}

describe('a new connection', () => {
  test('is returned with its secrets masked', async () => {
    const rateLimit = { tokensPerMinute: 60, tokensPerRequest: 2 };
    const { status, data } = await create({ name: 'Team chat', auth: bearer, rateLimit });
    expect(status).toBe(201);
    expect(data.connection).toMatchObject({
      name: 'Team chat',
      provider: 'slack',
      endpoint: null,
      auth: { type: 'bearer', token: 'sk-…1234' },
      status: 'active',
      statusReason: null,
      rateLimit,
      expiresAt: null,
      lastUsedAt: null,
    });
    expect(api.key).toContain(data.connection.ownerId);
    const { id } = data.connection;
    expect((await api.call('GET', `/api/connections/${id}`)).data.connection).toEqual(data.connection);
  });

  test.each([
    [{ type: 'none' }, { type: 'none' }],
    [
      { type: 'api_key', key: 'key-planted-secret-value-9876' },
      { type: 'api_key', header: 'X-Api-Key', prefix: '', key: 'key-…9876' },
    ],
    [
      { type: 'basic', username: 'ann', password: 'planted' },
      { type: 'basic', username: 'ann', password: '…' },
    ],
    [
      {
        type: 'oauth2_client_credentials',
        tokenUrl: 'https://auth.example/token',
        clientId: 'me',
        clientSecret: 'planted-client-secret-4321',
      },
      {
        type: 'oauth2_client_credentials',
        tokenUrl: 'https://auth.example/token',
        clientId: 'me',
        clientSecret: '…4321',
        scopes: [],
      },
    ],
  ])('with the auth %j is shown as %j', async (auth, shown) => {
    expect((await create({ auth })).data.connection.auth).toEqual(shown);
  });

  test('requires a name that is not taken', async () => {
    await create({ name: 'Taken' });
    const { status, error } = await create({ name: 'Taken' });
    expect([status, error.code]).toEqual([409, 'CONFLICT']);
    expect(error.message).toBe('There is a connection named "Taken" already.');
  });

  test.each([
    [{ provider: 'mcp' }, 'endpoint'],
    [{ endpoint: 'https://ann:planted@host.example/' }, 'endpoint'],
    [{ auth: { type: 'bearer', token: 'planted\nX-Evil: 1' } }, 'auth.token'],
    [{ auth: { type: 'api_key', key: 'plänted' } }, 'auth.key'],
    [{ auth: { type: 'api_key', header: 'Host', key: 'planted' } }, 'auth.header'],
    [{ auth: { type: 'basic', username: 'a:b', password: 'planted' } }, 'auth.username'],
    [{ name: 'planted:tool' }, 'name'],
    [{ name: 'planted\nline' }, 'name'],
    [{ name: 'planted\u202egnirts' }, 'name'],
    [{ name: 'planted\u200bname' }, 'name'],
    [{ name: 'planted\u2028line' }, 'name'],
  ])('with %j is refused, and the error shows no value', async (body, field) => {
    const { status, error } = await create(body);
    expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
    expect(error.details).toMatchObject([{ field }]);
    expect(JSON.stringify(error)).not.toContain('planted');
  });

  test('cannot have the name of a server of the operator, nor get it later', async () => {
    const shop = await startApi({ mcpServers: ['shop'] });
    const create = (path: string, body: object) => shop.call('POST', path, { body });
    const taken = await create('/api/connections', { name: 'shop', provider: 'slack' });
    expect([taken.status, taken.error.code]).toEqual([409, 'CONFLICT']);
    const endpoint = 'https://mcp.example.com';
    const connector = await create('/api/connectors', { name: 'shop', endpoint, tools: ['search'] });
    expect([connector.status, connector.error.code]).toEqual([409, 'CONFLICT']);
    const { data } = await create('/api/connections', { name: 'other', provider: 'slack' });
    const path = `/api/connections/${data.connection.id}`;
    const renamed = await shop.call('PATCH', path, { body: { name: 'shop' } });
    expect([renamed.status, renamed.error.code]).toEqual([409, 'CONFLICT']);
    await shop.stop();
  });

  test('with secrets is refused when there are no encryption keys, and the error says how to set them', async () => {
    const without = await startApi(
      {},
      { HOLDFAST_ENCRYPTION_KEYS: '', HOLDFAST_ENCRYPTION_KEYS_FILE: '/no/such/file' },
    );
    const body = { name: 'x', provider: 'slack', auth: bearer };
    const { status, error } = await without.call('POST', '/api/connections', { body });
    expect([status, error.code]).toEqual([503, 'SECRETS_UNAVAILABLE']);
    expect(error.message).toContain('HOLDFAST_ENCRYPTION_KEYS');
    const open = await without.call('POST', '/api/connections', { body: { name: 'x', provider: 'slack' } });
    expect(open.status).toBe(201);
    await without.stop();
  });
});

describe('the list of connections', () => {
  test('is paged, newest first, and can be filtered by provider', async () => {
    const { key } = await api.createWorkspace();
    for (const provider of ['slack', 'github', 'slack']) {
      await api.call('POST', '/api/connections', { key, body: { name: newId(), provider } });
    }
    const first = await api.call('GET', '/api/connections?limit=2', { key });
    expect(first.data.connections).toHaveLength(2);
    const rest = await api.call('GET', `/api/connections?limit=2&cursor=${first.data.nextCursor ?? ''}`, {
      key,
    });
    expect(rest.data.connections).toHaveLength(1);
    expect(rest.data.nextCursor).toBeNull();
    const ids = [...first.data.connections, ...rest.data.connections].map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
    const slack = await api.call('GET', '/api/connections?provider=slack', { key });
    expect(slack.data.connections.map(({ provider }) => provider)).toEqual(['slack', 'slack']);
  });

  test('requires a scope, and updates require another', async () => {
    const key = await api.createKey(api.workspaceId, ['connections:read']);
    expect((await api.call('GET', '/api/connections', { key })).status).toBe(200);
    const { status, error } = await api.call('POST', '/api/connections', {
      key,
      body: { name: 'x', provider: 'y' },
    });
    expect([status, error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('an update of a connection', () => {
  test('to its name and rate limit keeps the credentials', async () => {
    const { data } = await create({ auth: bearer, rateLimit: { tokensPerMinute: 60 } });
    const path = `/api/connections/${data.connection.id}`;
    const changed = await api.call('PATCH', path, { body: { name: `New ${newId()}`, rateLimit: null } });
    expect(changed.status).toBe(200);
    expect(changed.data.connection).toMatchObject({
      rateLimit: null,
      auth: data.connection.auth,
      status: 'active',
    });
    const opened = await api.services.connectionAccess.openForModel({
      workspaceId: api.workspaceId,
      connectionId: data.connection.id,
    });
    expect(opened.apiKey).toBe(bearer.token);
  });

  test('to revoked deletes the credentials, and new ones make it active again', async () => {
    const { data } = await create({ auth: bearer });
    const path = `/api/connections/${data.connection.id}`;
    const revoked = await api.call('PATCH', path, { body: { status: 'revoked' } });
    expect(revoked.data.connection).toMatchObject({ status: 'revoked', auth: { type: 'bearer' } });
    const row = await api.database
      .system('connections')
      .where({ id: data.connection.id })
      .first<{ sealed: unknown }>();
    expect(row.sealed).toBeNull();
    const renewed = await api.call('PATCH', path, { body: { auth: bearer } });
    expect(renewed.data.connection).toMatchObject({ status: 'active', statusReason: null });
  });

  test('cannot send stored credentials to another origin', async () => {
    const { data } = await create({ endpoint: 'https://mine.example/mcp', auth: bearer });
    const path = `/api/connections/${data.connection.id}`;
    const { status, error } = await api.call('PATCH', path, {
      body: { endpoint: 'https://thief.example/mcp' },
    });
    expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
    const moved = await api.call('PATCH', path, { body: { endpoint: 'https://mine.example/v2' } });
    expect(moved.data.connection.endpoint).toBe('https://mine.example/v2');
    const both = await api.call('PATCH', path, {
      body: { endpoint: 'https://other.example/', auth: bearer },
    });
    expect(both.status).toBe(200);
  });

  test('without fields is refused', async () => {
    const { data } = await create({});
    const answer = await api.call('PATCH', `/api/connections/${data.connection.id}`, { body: {} });
    expect([answer.status, answer.error.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

test('a connection can be deleted unless a connector uses it', async () => {
  const { data } = await create({ auth: bearer });
  const { id } = data.connection;
  const { workspaceId } = api;
  await api.database.inWorkspace(workspaceId, (trx) =>
    trx('connectors').insert({ id: newId(), name: 'files', type: 'mcp', connection_id: id }),
  );
  const refused = await api.call('DELETE', `/api/connections/${id}`);
  expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT']);
  expect(refused.error.message).toContain('"files"');
  await api.database.system('connectors').where({ connection_id: id }).delete();
  const deleted = await api.call('DELETE', `/api/connections/${id}`);
  expect(deleted.data).toEqual({ deleted: true });
  expect((await api.call('GET', `/api/connections/${id}`)).status).toBe(404);
  expect((await api.call('DELETE', `/api/connections/${id}`)).status).toBe(404);
});

test('every change of a connection is in the audit log, without a secret', async () => {
  const { data } = await create({ auth: bearer });
  const path = `/api/connections/${data.connection.id}`;
  await api.call('PATCH', path, { body: { auth: bearer } });
  await api.call('PATCH', path, { body: { status: 'revoked' } });
  await api.call('DELETE', path);
  await chainAudit(api.database.system);
  const events = await api.database
    .system('audit_events')
    .where({ subject_id: data.connection.id })
    .orderBy('seq')
    .select<{ type: string; payload: unknown }[]>('type', 'payload');
  expect(events.map(({ type }) => type)).toEqual([
    'connection.created',
    'connection.updated',
    'connection.revoked',
    'connection.deleted',
  ]);
  expect(JSON.stringify(events)).not.toContain('planted');
});

test('testing a connection returns the result of the test', async () => {
  const outcome = { ok: true, message: 'It answered.', durationMs: 12 };
  const asked: unknown[] = [];
  const tested = await startApi({
    discovery: {
      listConnectionTools: () => Promise.reject(new Error('nobody asks for tools')),
      testConnection: (request) => {
        asked.push(request);
        return Promise.resolve(outcome);
      },
    },
  });
  const { data } = await tested.call('POST', '/api/connections', { body: { name: 'x', provider: 'slack' } });
  const { id } = data.connection;
  const { status, data: answer } = await tested.call('POST', `/api/connections/${id}/test`);
  expect([status, answer]).toEqual([200, { test: outcome }]);
  expect(asked).toEqual([{ workspaceId: tested.workspaceId, connectionId: id }]);
  await tested.stop();
});

test('no planted secret is in the log', () => {
  expect(api.logLines.length).toBeGreaterThan(10);
  expect(api.logLines.join('')).not.toContain('planted');
});
