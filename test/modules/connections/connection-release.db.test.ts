import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '../../../src/domain/connection.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { eventually } from '../../labs/eventually.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
let server: ScriptedServer;
beforeAll(async () => {
  api = await shareApi();
});
beforeEach(async () => {
  server = await startScriptedServer({ note: () => textResult('noted') });
});
afterEach(() => server.close());

/** A connection over which the server was asked for its tools, so that a session with it is open. */
async function openSession(): Promise<string> {
  const input = { name: `server ${newId()}`, provider: 'mcp', endpoint: server.url };
  const { data } = await api.call('POST', '/api/connections', { body: input });
  expect((await listTools(data.connection)).status).toBe(200);
  expect(server.sessionsOpen()).toBe(1);
  return data.connection.id;
}

function listTools({ id }: Pick<Connection, 'id'>) {
  return api.call('GET', `/api/connections/${id}/mcp-tools`);
}

function waitForNoSession() {
  return eventually(
    () => Promise.resolve(server.sessionsOpen()),
    (open) => open === 0,
  );
}

test.each([{ status: 'revoked' }, { auth: { type: 'bearer', token: 'another-token' } }, { name: newId() }])(
  'updating a connection with %j closes its MCP session',
  async (body) => {
    const id = await openSession();
    const { status } = await api.call('PATCH', `/api/connections/${id}`, { body });
    expect(status).toBe(200);
    await waitForNoSession();
  },
);

test('deleting a connection closes its MCP session', async () => {
  const id = await openSession();
  await api.call('DELETE', `/api/connections/${id}`);
  await waitForNoSession();
  expect((await listTools({ id })).error.message).toBe(`Connection ${id} not found or access denied`);
  expect(server.sessionsOpened()).toBe(1);
});

test('changing or deleting a connection by its id in upper case closes its MCP session', async () => {
  const changed = await openSession();
  await api.call('PATCH', `/api/connections/${changed.toUpperCase()}`, { body: { name: newId() } });
  await waitForNoSession();
  const deleted = await openSession();
  await api.call('DELETE', `/api/connections/${deleted.toUpperCase()}`);
  await waitForNoSession();
});

test('deleting a connector closes the MCP session of its connection', async () => {
  const body = { name: 'noting', endpoint: server.url, tools: ['note'] };
  const created = await api.call('POST', '/api/connectors', { body });
  const { connector } = created.data as unknown as { connector: { id: string; connectionId: string } };
  await listTools({ id: connector.connectionId });
  expect(server.sessionsOpen()).toBe(1);
  await api.call('DELETE', `/api/connectors/${connector.id}`);
  await waitForNoSession();
});

test('a refused update closes no MCP session', async () => {
  const id = await openSession();
  const { status } = await api.call('PATCH', `/api/connections/${id}`, { body: { endpoint: 'nowhere' } });
  expect(status).toBe(400);
  expect(server.sessionsOpen()).toBe(1);
});

test('a revoked connection is not used again', async () => {
  const id = await openSession();
  const { data } = await api.call('PATCH', `/api/connections/${id}`, { body: { status: 'revoked' } });
  const { status, error } = await listTools({ id });
  expect([status, error.message]).toEqual([
    400,
    `Connection ${data.connection.name} is revoked. Please reconnect.`,
  ]);
  expect(server.sessionsOpened()).toBe(1);
});
