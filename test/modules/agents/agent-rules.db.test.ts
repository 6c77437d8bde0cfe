import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Agent } from '../../../src/domain/agent.ts';
import type { Connector } from '../../../src/domain/connector.ts';
import { defineTool, startDefinitionServer, type DefinitionServer } from '../../servers/definition-server.ts';
import { startToolApi, type ToolApi } from '../../labs/tool-api.ts';

let api: ToolApi;
let server: DefinitionServer;
let agent: Agent;
let connector: Connector;
let made = 0;

/** Its end, which masks show, stands in no id. */
const secret = `key-${randomBytes(16).toString('hex')}-wxyz`;

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

test('tools of the same name on two servers get names of their own when an agent is given both', async () => {
  const other = await register({ name: `other-${made}`, tools: ['get_report'] });
  await attach(other);
  const id = `other-${made}:get_report`;
  const refused = await provision();
  expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT']);
  expect(refused.error.message).toContain(`"tool_names": { "${id}": "…" }`);

  expect((await provision({ tool_names: { [id]: 'other_report' } })).status).toBe(200);
  const again = await provision();
  expect(again.status).toBe(200);
  const { tools } = (await api.call('GET', `/api/agents/${agent.id}`)).data.agent;
  expect(tools.map(({ name, config }) => [name, config])).toEqual([
    ['search_players', expect.objectContaining({ connectorId: connector.id })],
    ['get_report', expect.objectContaining({ connectorId: connector.id })],
    ['other_report', expect.objectContaining({ connectorId: other.id, tool: 'get_report' })],
  ]);
  const pins = await api.database
    .system('tool_pins')
    .where({ agent_id: agent.id })
    .pluck<string[]>('tool_id');
  expect(pins.sort()).toEqual(tools.map((tool) => tool.id).sort());
});

test('a rule that names no tool of the agent is refused, unless it is marked as for later', async () => {
  const rules = {
    tool_policies: {
      get_report: {},
      [`${connector.name}:get_report`]: {},
      get_reports: {},
      'nobody:tool': {},
    },
    tool_allowlist: ['get_report', `${connector.name}:*`, 'scouts:*'],
  };
  const refused = await provision({ ...rules, for_later: ['scouts:*'] });
  expect([refused.status, refused.error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(refused.error.details).toEqual([
    { field: 'tool_policies.get_reports', message: expect.stringContaining('for_later') as string },
    { field: 'tool_policies.nobody:tool', message: expect.stringContaining('"nobody:tool"') as string },
  ]);
  const provisioned = (await provision({ ...rules, for_later: ['scouts:*', 'get_reports', 'nobody:tool'] }))
    .data.agent;
  const fields = [
    'rules.toolPolicies.get_reports',
    'rules.toolPolicies.nobody:tool',
    'rules.toolAllowlist.2',
  ];
  expect(provisioned.warnings?.map(({ field }) => field)).toEqual(fields);
  const connection = { connectionId: connector.connectionId, provider: 'mcp' };
  const tool = { type: 'mcp', name: 'mine', description: '', schema: { type: 'object' } };
  const body = {
    name: 'x',
    model: 'demo',
    instructions: '',
    tools: [{ ...tool, config: { ...connection, tool: 'get_report' } }],
    rules: { toolPolicies: { [`connector ${connector.name}:get_report`]: {}, 'connector x:get_report': {} } },
  };
  const unmarked = await api.call('POST', '/api/agents', { body });
  expect(unmarked.error.details).toEqual([
    expect.objectContaining({ field: 'rules.toolPolicies.connector x:get_report' }),
  ]);
  const forLater = ['connector x:get_report'];
  const created = await api.call('POST', '/api/agents', {
    body: { ...body, rules: { ...body.rules, forLater } },
  });
  expect(created.data.agent.warnings).toEqual([
    {
      field: 'rules.toolPolicies.connector x:get_report',
      message: expect.stringContaining('no tool') as string,
    },
  ]);
  const changed = await api.call('PATCH', `/api/agents/${created.data.agent.id}`, { body: { tools: [] } });
  expect(changed.data.agent.warnings).toHaveLength(2);
  expect(changed.data.agent.rules.forLater).toEqual([...forLater, `connector ${connector.name}:get_report`]);
});

test('the rules of a tool that is removed are kept for later', async () => {
  await provision({ tool_policies: { get_report: { maxCallsPerTurn: 1 }, search_players: {} } });
  const path = `/api/agents/${agent.id}`;
  const { tools } = (await api.call('GET', path)).data.agent;
  const removed = tools.find(({ name }) => name === 'get_report');
  await api.call('DELETE', `${path}/tools/${removed?.id}`);
  expect((await api.call('GET', path)).data.agent.rules).toMatchObject({
    toolPolicies: { get_report: { maxCallsPerTurn: 1 }, search_players: {} },
    forLater: ['get_report'],
  });
  const rules = { toolPolicies: { get_report: {} } };
  const refused = await api.call('PATCH', path, { body: { rules } });
  expect([refused.status, refused.error.details]).toEqual([
    400,
    [expect.objectContaining({ field: 'rules.toolPolicies.get_report' })],
  ]);
  const kept = await api.call('PATCH', path, { body: { rules: { ...rules, for_later: ['get_report'] } } });
  expect(kept.status).toBe(200);
});

test('a connection that rules name keeps its name', async () => {
  const created = await api.call('POST', '/api/connections', {
    body: { name: `Wiki ${made}`, provider: 'slack' },
  });
  const { id } = (created.data as unknown as { connection: { id: string } }).connection;
  const rules = { toolPolicies: { [`Wiki ${made}:search`]: {} }, forLater: [`Wiki ${made}:search`] };
  await api.call('PATCH', `/api/agents/${agent.id}`, { body: { rules } });
  const rename = () => api.call('PATCH', `/api/connections/${id}`, { body: { name: `New ${made}` } });
  const { status, error } = await rename();
  expect([status, error.code]).toEqual([409, 'CONFLICT']);
  expect(error.message).toContain(agent.name);
  await api.call('PATCH', `/api/agents/${agent.id}`, { body: { rules: { toolPolicies: {} } } });
  expect((await rename()).status).toBe(200);
  await api.call('DELETE', `/api/connections/${id}`);
});

test('where connectors lead, and their auth, are shown to keys that may read connections', async () => {
  await provision();
  const key = await api.createKey(api.workspaceId, ['agents:read', 'agents:write']);
  const path = `/api/agents/${agent.id}`;
  const answers = await Promise.all([
    api.call('GET', path, { key }),
    api.call('GET', '/api/agents?limit=100', { key }),
    api.call('GET', `${path}/versions`, { key }),
    api.call('GET', `${path}/versions/2`, { key }),
    api.call('GET', `${path}/connectors`, { key }),
    api.call('GET', `${path}/configuration`, { key }),
    api.call('PATCH', path, { key, body: { instructions: 'Changed.' } }),
  ]);
  answers.push(
    await api.call('POST', `${path}/provision`, { key, body: {} }),
    await api.call('POST', `${path}/connectors`, { key, body: { connectorId: connector.id } }),
  );
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 8 }, () => 200), 201]);
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain(connector.name);
    expect(JSON.stringify(answer)).not.toContain(server.url);
    expect(JSON.stringify(answer)).not.toContain(secret.slice(-4));
  }
  expect((await api.call('GET', path)).data.agent.connectors).toMatchObject([{ endpoint: server.url }]);
});
