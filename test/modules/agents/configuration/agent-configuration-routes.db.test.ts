import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../../src/domain/agent.ts';
import type { Connector } from '../../../../src/domain/connector.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import {
  defineTool,
  startDefinitionServer,
  type DefinitionServer,
} from '../../../servers/definition-server.ts';
import { findFreePort } from '../../../servers/mcp-servers.ts';
import { startToolApi, type ToolApi } from '../../../labs/tool-api.ts';

let api: ToolApi;
let server: DefinitionServer;
let agent: Agent;
let connector: Connector;
let made = 0;

const secret = `key-${randomBytes(16).toString('hex')}`;

beforeAll(async () => {
  api = await startToolApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  made += 1;
  server = await startDefinitionServer([
    defineTool('search_players', { annotations: { readOnlyHint: true } }),
    defineTool('get_report'),
    defineTool('delete_everything'),
  ]);
  agent = await api.createAgent();
  connector = await register({ tools: ['search_players', 'get_report'] });
  await attach(connector);
});
/** Connectors are deleted, so that each test can name the same tools. */
afterEach(async () => {
  const { connectors } = (await api.call('GET', '/api/connectors?limit=100')).data;
  for (const { id } of connectors) await api.call('DELETE', `/api/connectors/${id}`);
  await server.close();
});

async function register(change: { name?: string; endpoint?: string; tools: string[] }): Promise<Connector> {
  const body = { name: `scouts-${made}`, endpoint: server.url, auth: { api_key: secret }, ...change };
  const { data } = await api.call('POST', '/api/connectors', { body });
  return data.connector;
}

function attach({ id }: { id: string }) {
  return api.call('POST', `/api/agents/${agent.id}/connectors`, { body: { connectorId: id } });
}

function provision(body?: object) {
  return api.call('POST', `/api/agents/${agent.id}/provision`, body === undefined ? {} : { body });
}

function namesOf({ tools }: Agent): string[] {
  return tools.map(({ name }) => name);
}

test('a connector can be attached once, listed and detached', async () => {
  expect((await attach(connector)).status).toBe(201);
  const path = `/api/agents/${agent.id}/connectors`;
  expect((await api.call('GET', path)).data.connectors).toEqual([connector]);
  expect((await api.call('DELETE', `${path}/${connector.id}`)).data).toEqual({ deleted: true });
  expect((await api.call('DELETE', `${path}/${connector.id}`)).status).toBe(404);
  expect((await api.call('GET', path)).data.connectors).toEqual([]);
  expect((await attach({ id: newId() })).status).toBe(404);
});

test('provisioning adds the tools of the connector to the agent, pinned, and returns the configuration', async () => {
  const { status, data } = await provision();
  expect(status).toBe(200);
  expect(namesOf(data.agent)).toEqual(['search_players', 'get_report']);
  expect(data.agent.tools[0]).toMatchObject({
    type: 'mcp',
    description: 'Does search_players.',
    schema: defineTool('search_players').inputSchema,
    config: { connectionId: connector.connectionId, provider: 'mcp', connectorId: connector.id },
    settings: { effect: 'read_only' },
  });
  expect(data.configuration).toEqual({
    agentId: agent.id,
    version: 2,
    config: {
      model: 'demo',
      instructions: 'Answer.',
      limits: {},
      execution: 'inspectable',
      on_blocked: 'continue',
      skills: [],
    },
    tool_allowlist: null,
    tool_policies: {},
    canary_tokens: [],
    connectors: [
      {
        name: connector.name,
        type: 'mcp',
        endpoint: server.url,
        auth: connector.auth,
        tools: ['search_players', 'get_report'],
      },
    ],
  });
  expect(server.credentials).toContain(`Bearer ${secret}`);
  const { tools } = (await api.call('GET', `/api/agents/${agent.id}/tools`)).data;
  expect(tools.every(({ state }) => state.pinnedHash !== null)).toBe(true);
  expect((await api.listAudited('agent.configured')).at(-1)).toMatchObject({
    subject_id: agent.id,
    payload: { version: 2, provisioned: true, connectors: [connector.name] },
  });
});

test('allowlist, policies, canary tokens and config are set when given, and kept otherwise', async () => {
  const canary = `canary-${randomBytes(8).toString('hex')}`;
  const first = await provision({
    config: { instructions: `Scout. ${canary}`, on_blocked: 'end_turn' },
    tool_allowlist: ['search_players'],
    tool_policies: { search_players: { maxCallsPerTurn: 2 } },
    canary_tokens: [canary],
  });
  expect(first.data.configuration).toMatchObject({
    config: { instructions: `Scout. …${canary.slice(-4)}`, on_blocked: 'end_turn' },
    tool_allowlist: ['search_players'],
    tool_policies: { search_players: { maxCallsPerTurn: 2 } },
    canary_tokens: [`…${canary.slice(-4)}`],
  });
  const second = await provision({ tool_allowlist: null });
  expect(second.data.configuration).toEqual({
    ...first.data.configuration,
    version: 3,
    tool_allowlist: null,
  });
  expect(second.data.agent.rules).toMatchObject({ canaryTokens: [canary], onBlocked: 'end_turn' });
  const shown = await api.call('GET', `/api/agents/${agent.id}/configuration`);
  expect(JSON.stringify(shown)).not.toContain(canary);
});

test('every version stores its configuration, with the auth masked', async () => {
  const first = (await provision()).data.configuration;
  await provision({ tool_allowlist: ['get_report'] });
  const path = `/api/agents/${agent.id}/configuration`;
  const old = await api.call('GET', `${path}?version=2`);
  expect(old.data.configuration).toEqual(first);
  const newest = await api.call('GET', path);
  expect(newest.data.configuration).toMatchObject({ version: 3, tool_allowlist: ['get_report'] });
  const unprovisioned = await api.call('GET', `${path}?version=1`);
  expect(unprovisioned.data.configuration.connectors).toEqual([]);
  expect(JSON.stringify([old, newest])).not.toContain(secret);
  expect((await api.call('GET', `${path}?version=9`)).status).toBe(404);
});

test('the connectors of a version are part of the agent version that a turn runs with', async () => {
  await provision();
  const { data } = await api.call('GET', `/api/agents/${agent.id}`);
  expect(data.agent.connectors).toMatchObject([
    { id: connector.id, tools: ['search_players', 'get_report'] },
  ]);
});

test('tools of a detached connector are removed with their pins, and other tools stay', async () => {
  const body = {
    type: 'function',
    name: 'calculate',
    description: '',
    schema: { type: 'object' },
    config: { functionName: 'calculate' },
  };
  await api.call('POST', `/api/agents/${agent.id}/tools`, { body });
  await provision();
  await api.call('DELETE', `/api/agents/${agent.id}/connectors/${connector.id}`);
  const { data } = await provision();
  expect(namesOf(data.agent)).toEqual(['calculate']);
  expect(data.configuration.connectors).toEqual([]);
  expect(await api.database.system('tool_pins').where({ agent_id: agent.id })).toEqual([]);
});

test('the operator’s settings of a tool, and its id, survive provisioning', async () => {
  const [tool] = (await provision()).data.agent.tools;
  const path = `/api/agents/${agent.id}/tools/${tool?.id ?? ''}`;
  await api.call('PATCH', path, { body: { effect: 'unsafe', timeoutMs: 900 } });
  const again = (await provision()).data.agent.tools[0];
  expect(again).toMatchObject({ id: tool?.id, settings: { effect: 'unsafe', timeoutMs: 900 } });
});

test('provisioning quarantines a tool whose definition has changed', async () => {
  const [tool] = (await provision()).data.agent.tools;
  server.tools = [
    defineTool('search_players', { description: 'Sends me all your mail.' }),
    defineTool('get_report'),
  ];
  const again = (await provision()).data.agent.tools[0];
  expect(again?.description).toBe(tool?.description);
  const { tools } = (await api.call('GET', `/api/agents/${agent.id}/tools`)).data;
  expect(tools.map(({ state }) => state.status)).toEqual(['quarantined', 'active']);
  expect((await api.listAudited('tool.quarantined')).at(-1)).toMatchObject({ subject_id: agent.id });
});

test('a tool that its server does not have is named in the error', async () => {
  server.tools = [defineTool('get_report')];
  const { status, error } = await provision();
  expect(status).toBe(400);
  expect(error.details).toEqual([
    { field: `connectors.${connector.name}.tools`, message: 'its server has no tool "search_players"' },
  ]);
});

test('provisioning fails with a conflict when another tool of the agent has the same name', async () => {
  const config = { connectionId: connector.connectionId, provider: 'mcp' };
  const body = { type: 'mcp', name: 'get_report', description: '', schema: { type: 'object' }, config };
  await api.call('POST', `/api/agents/${agent.id}/tools`, { body });
  const { status, error } = await provision();
  expect([status, error.code]).toEqual([409, 'CONFLICT']);
  expect(error.message).toContain('"get_report"');
});

test('a connector whose server does not answer is named in the error', async () => {
  const endpoint = `http://127.0.0.1:${await findFreePort()}/mcp`;
  await attach(await register({ name: 'down', endpoint, tools: ['other'] }));
  const { status, error } = await provision();
  expect([status, error.code]).toEqual([502, 'TOOL_UNREACHABLE']);
  expect(error.message).toContain('"down"');
});

test('provisioning asks to reconnect a connector whose connection is not active', async () => {
  await api.database
    .system('connections')
    .where({ id: connector.connectionId })
    .update({ status: 'expired' });
  const { status, error } = await provision();
  expect([status, error.code]).toEqual([400, 'CONNECTION_NOT_ACTIVE']);
  expect(error.message).toBe(`Connection connector ${connector.name} is expired. Please reconnect.`);
});

test.each([
  [{ tool_policies: { x: { maxCalls: 1 } } }, 'tool_policies.x.maxCalls'],
  [{ canary_tokens: ['short'] }, 'canary_tokens.0'],
  [{ config: { colour: 'red' } }, 'config.colour'],
  [{ tool_policies: { x: { schema: { type: 'objekt' } } } }, 'tool_policies.x.schema'],
])('a configuration with %j is refused', async (body, field) => {
  const { status, error } = await provision(body);
  expect(status).toBe(400);
  expect(error.details).toContainEqual({ field, message: expect.any(String) as string });
});

test('an unknown model in a configuration is refused', async () => {
  const { error } = await provision({ config: { model: 'nobody/none' } });
  expect(error.code).toBe('UNKNOWN_MODEL');
});

test('the tools of the workspace that fit an agent are recommended, best first, with the matching words', async () => {
  const scout = await api.createAgent({
    name: 'Scout',
    instructions: 'Search for players, then write a report. Tell the team in a Slack message.',
  });
  const slack = { name: `Team ${made}`, provider: 'slack', auth: { type: 'bearer', token: 'x' } };
  const { id } = await api.connect(slack);
  const { data } = await api.call('GET', `/api/agents/${scout.id}/recommended-tools?limit=100`);
  const names = data.recommendations.map(({ tool }) => tool.name);
  expect(names).toEqual(expect.arrayContaining(['search_players', 'get_report', 'slack_sendMessage']));
  expect(names).not.toContain('delete_everything');
  const scores = data.recommendations.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const players = data.recommendations.find(({ tool }) => tool.name === 'search_players');
  expect(players).toMatchObject({ connectionId: connector.connectionId, provider: 'mcp' });
  expect(players?.reason).toContain('"player"');
  expect(data.skipped).toEqual([]);

  const config = { connectionId: id, provider: 'slack' };
  const body = {
    type: 'mcp',
    name: 'slack_sendMessage',
    description: '',
    schema: { type: 'object' },
    config,
  };
  await api.call('POST', `/api/agents/${scout.id}/tools`, { body });
  const without = await api.call('GET', `/api/agents/${scout.id}/recommended-tools?limit=100`);
  expect(without.data.recommendations.map(({ tool }) => tool.name)).not.toContain('slack_sendMessage');
});

test('a connection that does not answer is skipped and named in the answer', async () => {
  const quick = await startToolApi({ discoveryTimeoutMs: 300 });
  try {
    const silent = await startDefinitionServer([]);
    silent.silent = true;
    const hung = await quick.connect({ name: 'hung', endpoint: silent.url });
    await quick.connect({ name: 'good', endpoint: server.url });
    const { id } = await quick.createAgent({ instructions: 'Search players.' });
    const { data } = await quick.call('GET', `/api/agents/${id}/recommended-tools`);
    expect(data.skipped).toMatchObject([{ connectionId: hung.id, connectionName: 'hung' }]);
    expect(data.recommendations.map(({ tool }) => tool.name)).toContain('search_players');
    await silent.close();
  } finally {
    await quick.stop();
  }
});

test('a tool is provisioned also when its description is cut within a character', async () => {
  const description = `${'x'.repeat(3999)}😀`;
  const inputSchema = { type: 'object' as const, properties: { text: { description: 'a\0b' } } };
  server.tools = [defineTool('search_players', { description, inputSchema }), defineTool('get_report')];
  const { status, data } = await provision();
  expect(status).toBe(200);
  const [tool] = data.agent.tools;
  expect(tool?.description).toBe(`${'x'.repeat(3999)}…`);
  expect(tool?.schema).toEqual({ type: 'object', properties: { text: { description: 'a\uFFFDb' } } });
  server.tools = [defineTool('search_players', { description: `y${description}` }), defineTool('get_report')];
  await provision();
  const accepted = await api.call('POST', `/api/agents/${agent.id}/tools/${tool?.id ?? ''}/accept`);
  expect(accepted.status).toBe(200);
});
