import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionInput } from '../../../src/domain/connection.ts';
import type { ConnectionTools } from '../../../src/domain/discovered-tool.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startScriptedServer, textResult, type ScriptedServer } from '../../servers/mcp-servers.ts';
import { startVendorServer, type VendorServer } from '../../servers/vendor-server.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
let vendor: VendorServer;
let mcp: ScriptedServer;
beforeAll(async () => {
  [api, vendor, mcp] = await Promise.all([
    shareApi(),
    startVendorServer(),
    startScriptedServer({ look_up: () => textResult('found'), put_away: () => textResult('done') }),
  ]);
});
afterAll(async () => {
  await api.stop();
  await vendor.close();
  await mcp.close();
});

const token = `token-${randomUUID()}`;

async function connect(
  input: Omit<ConnectionInput, 'name' | 'auth'> & Partial<ConnectionInput>,
): Promise<string> {
  const { status, data } = await api.call('POST', '/api/connections', {
    body: { name: `Connection ${newId()}`, auth: { type: 'bearer', token }, ...input },
  });
  expect(status).toBe(201);
  return data.connection.id;
}

function listTools(id: string, key?: string) {
  return api.call('GET', `/api/connections/${id}/mcp-tools`, key === undefined ? {} : { key });
}

function testConnection(id: string) {
  return api.services.discovery.testConnection({ workspaceId: api.workspaceId, connectionId: id });
}

test('the tools of a connection to a provider are its operations, in the form that the front end expects', async () => {
  const id = await connect({ name: 'Slack - Team', provider: 'slack' });
  const { status, data } = await listTools(id);
  const { tools, ...rest } = data as unknown as ConnectionTools;
  expect([status, rest]).toEqual([
    200,
    { connectionId: id, connectionName: 'Slack - Team', provider: 'slack', leftOut: [] },
  ]);
  expect(tools).toHaveLength(8);
  expect(Object.keys(tools[0] ?? {})).toEqual(['name', 'description', 'inputSchema', 'executeRef']);
  expect(tools[0]).toMatchObject({
    name: 'slack_sendMessage',
    executeRef: 'sendMessage',
    inputSchema: { type: 'object', required: ['channel', 'text'] },
  });
});

test('the tools of a connection to an MCP server are those that the server lists', async () => {
  const id = await connect({ provider: 'mcp', endpoint: mcp.url });
  const { status, data } = await listTools(id);
  const { tools, provider } = data as unknown as ConnectionTools;
  expect([status, provider]).toEqual([200, 'mcp']);
  expect(tools.map(({ name, executeRef }) => [name, executeRef]).sort()).toEqual([
    ['look_up', 'look_up'],
    ['put_away', 'put_away'],
  ]);
});

test('an unknown connection, or one of another workspace, is refused with the message that the front end expects', async () => {
  const id = await connect({ provider: 'slack' });
  const { key } = await api.createWorkspace();
  const missing = newId();
  for (const [wanted, answer] of [
    [missing, await listTools(missing)],
    [id, await listTools(id, key)],
  ] as const) {
    expect([answer.status, answer.error.message]).toEqual([
      403,
      `Connection ${wanted} not found or access denied`,
    ]);
  }
});

test('the tools of a connection that is not active are refused with a request to reconnect', async () => {
  const id = await connect({ name: 'Old Slack', provider: 'slack' });
  await api.call('PATCH', `/api/connections/${id}`, { body: { status: 'revoked' } });
  const answer = await listTools(id);
  expect([answer.status, answer.error]).toMatchObject([
    400,
    { code: 'CONNECTION_NOT_ACTIVE', message: 'Connection Old Slack is revoked. Please reconnect.' },
  ]);
});

test('listing the tools of an unreachable server fails with an error that says so', async () => {
  const gone = await startVendorServer();
  await gone.close();
  const answer = await listTools(await connect({ provider: 'mcp', endpoint: `${gone.url}/mcp` }));
  expect([answer.status, answer.error.code]).toEqual([502, 'TOOL_UNREACHABLE']);
});

test('testing a connection calls the provider with its credentials and returns the account', async () => {
  const id = await connect({ provider: 'github', endpoint: vendor.url });
  vendor.next({ body: { login: 'octo' } }, { status: 401, body: { message: `Bad credentials ${token}` } });
  expect(await testConnection(id)).toMatchObject({ ok: true, message: 'Connected as octo.' });
  expect(vendor.requests.at(-1)).toMatchObject({
    method: 'GET',
    target: '/user',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await testConnection(id)).toMatchObject({
    ok: false,
    message: 'GitHub: Bad credentials [redacted]',
  });
});

test('testing an MCP connection lists its tools', async () => {
  expect(await testConnection(await connect({ provider: 'mcp', endpoint: mcp.url }))).toMatchObject({
    ok: true,
    message: 'Connected; the server offers 2 tools.',
  });
});

test.each([
  ['openai', { authorization: `Bearer ${token}` }, { data: [{}, {}] }],
  ['anthropic', { 'x-api-key': token, 'anthropic-version': '2023-06-01' }, { data: [{}, {}] }],
  ['google', { 'x-goog-api-key': token }, { models: [{}, {}] }],
  ['compatible', { authorization: `Bearer ${token}` }, { data: [{}, {}] }],
])(
  'testing a connection to %s lists its models with the headers of that vendor',
  async (provider, headers, body) => {
    const id = await connect({ provider, endpoint: `${vendor.url}/v1` });
    vendor.next({ body }, { status: 401, body: { error: `no such key ${token}` } });
    expect(await testConnection(id)).toMatchObject({ ok: true, message: 'Connected; 2 models can be used.' });
    expect(vendor.requests.at(-1)).toMatchObject({ method: 'GET', target: '/v1/models', headers });
    const refused = await testConnection(id);
    expect(refused.ok).toBe(false);
    expect(refused.message).toContain('HTTP 401');
    expect(refused.message).not.toContain(token);
  },
);

test('testing a connection to a model server without a key sends no key', async () => {
  const id = await connect({ provider: 'compatible', endpoint: `${vendor.url}/v1`, auth: { type: 'none' } });
  vendor.next({ body: { data: [] } });
  expect(await testConnection(id)).toMatchObject({ ok: true });
  expect(vendor.requests.at(-1)?.headers.authorization).toBeUndefined();
});

test('a tool whose definition cannot be used is left out, and named with the reason', async () => {
  const definitions = { bad: { inputSchema: { type: 'string' } } };
  const server = await startScriptedServer(
    { good: () => textResult('ok'), bad: () => textResult('ok') },
    { definitions },
  );
  const id = await connect({ provider: 'mcp', endpoint: server.url });
  const { tools, leftOut } = (await listTools(id)).data as unknown as ConnectionTools;
  expect(tools.map(({ name }) => name)).toEqual(['good']);
  expect(leftOut).toEqual([{ name: 'bad', reason: 'inputSchema.type: expected "object"' }]);
  const tested = await testConnection(id);
  expect(tested).toMatchObject({
    ok: true,
    message:
      'Connected; the server offers 1 tool. Left out, since their definitions cannot be used: bad (inputSchema.type: expected "object").',
  });
  await server.close();
});
