import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { startToolApi, type ToolApi } from '../../../labs/tool-api.ts';

let api: ToolApi;
beforeAll(async () => {
  api = await startToolApi();
});
afterAll(() => api.stop());

const secret = `key-${randomBytes(16).toString('hex')}`;
const endpoint = 'http://127.0.0.1:9/mcp';

function register(change: object = {}, key?: string) {
  const body = {
    name: 'football',
    endpoint,
    auth: { api_key: secret },
    tools: ['search_players'],
    ...change,
  };
  return api.call('POST', '/api/connectors', { body, ...(key === undefined ? {} : { key }) });
}

test('a connector is created with its own connection, and its auth is masked', async () => {
  const { status, data } = await register({ name: 'scouts', tools: ['get_report', 'find_scout'] });
  expect(status).toBe(201);
  expect(data.connector).toMatchObject({
    name: 'scouts',
    type: 'mcp',
    endpoint,
    auth: { type: 'bearer' },
    tools: ['get_report', 'find_scout'],
  });
  const shown = await api.call('GET', `/api/connectors/${data.connector.id}`);
  expect(shown.data.connector).toEqual(data.connector);
  const listed = await api.call('GET', '/api/connectors');
  expect(listed.data.connectors).toContainEqual(data.connector);
  expect(JSON.stringify([data, shown, listed])).not.toContain(secret);
  const kept = await api.database
    .system('connections')
    .where({ id: data.connector.connectionId })
    .first<object>();
  expect(kept).toMatchObject({ name: 'connector scouts', provider: 'mcp', endpoint });
  expect((await api.listAudited('connector.created')).at(-1)).toMatchObject({
    subject_id: data.connector.id,
    payload: { connector_name: 'scouts', tools: ['get_report', 'find_scout'] },
  });
});

test('two connectors may have tools of the same name', async () => {
  await register({ name: 'first', tools: ['shared', 'own'] });
  const { status, data } = await register({ name: 'second', tools: ['other', 'shared'] });
  expect([status, data.connector.tools]).toEqual([201, ['other', 'shared']]);
});

test('a connector with an existing name is a conflict', async () => {
  await register({ name: 'taken', tools: [] });
  const { status, error } = await register({ name: 'taken', tools: [] });
  expect([status, error.code]).toEqual([409, 'CONFLICT']);
});

test('a tool that a connector names twice counts once', async () => {
  const { data } = await register({ name: 'twice', tools: ['again', 'once', 'again'] });
  expect(data.connector.tools).toEqual(['again', 'once']);
});

test('every kind of auth of connections is accepted', async () => {
  const { data } = await register({
    name: 'basic',
    tools: [],
    auth: { type: 'basic', username: 'me', password: secret },
  });
  expect(data.connector.auth).toMatchObject({ type: 'basic' });
  expect(JSON.stringify(data)).not.toContain(secret);
});

test('deleting a connector deletes its connection and frees its tools', async () => {
  const { connector } = (await register({ name: 'short', tools: ['freed'] })).data;
  expect((await api.call('DELETE', `/api/connections/${connector.connectionId}`)).status).toBe(409);
  const path = `/api/connectors/${connector.id}`;
  expect((await api.call('DELETE', path)).data).toEqual({ deleted: true });
  expect((await api.call('GET', path)).status).toBe(404);
  expect((await api.call('DELETE', path)).status).toBe(404);
  expect(await api.database.system('connections').where({ id: connector.connectionId })).toEqual([]);
  expect((await api.listAudited('connector.deleted')).at(-1)).toMatchObject({ subject_id: connector.id });
  expect((await register({ name: 'short', tools: ['freed'] })).status).toBe(201);
});

test.each([
  [{ endpoint: 'ftp://example.com' }, 'endpoint'],
  [{ name: 'with:colon' }, 'name'],
  [{ tools: ['a b'] }, 'tools.0'],
  [{ type: 'rest' }, 'type'],
  [{ command: '/bin/sh' }, 'command'],
])('a connector with %j is refused', async (change, field) => {
  const { status, error } = await register({ name: 'bad', ...change });
  expect(status).toBe(400);
  expect(error.details).toContainEqual({ field, message: expect.any(String) as string });
});

test('a workspace sees its own connectors only', async () => {
  const { connector } = (await register({ name: 'mine', tools: ['same_tool'] })).data;
  const { key } = await api.createWorkspace();
  expect((await api.call('GET', `/api/connectors/${connector.id}`, { key })).status).toBe(404);
  expect((await api.call('DELETE', `/api/connectors/${connector.id}`, { key })).status).toBe(404);
  expect((await api.call('GET', '/api/connectors', { key })).data.connectors).toEqual([]);
  expect((await register({ name: 'mine', tools: ['same_tool'] }, key)).status).toBe(201);
});

test('an unknown connector is not found', async () => {
  expect((await api.call('GET', `/api/connectors/${newId()}`)).status).toBe(404);
});

test('connectors require the scopes of connections', async () => {
  const key = await api.createKey(api.workspaceId, ['connections:read']);
  expect((await api.call('GET', '/api/connectors', { key })).status).toBe(200);
  expect((await register({ name: 'scoped', tools: [] }, key)).status).toBe(403);
});
