import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { findFreePort } from '../../../servers/mcp-servers.ts';
import { calculate, openToolScene, type ToolScene } from '../../../labs/tool-scene.ts';

let scene: ToolScene;
beforeAll(async () => {
  scene = await openToolScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.renew());

test('adding a tool gives it an id and creates a new version of the agent', async () => {
  const { status, data } = await scene.add(calculate);
  expect(status).toBe(201);
  expect(data.tool).toMatchObject(calculate);
  expect(data.agent).toMatchObject({ id: scene.agent.id, version: 2, tools: [data.tool] });
  expect((await scene.api.listAudited('agent.configured')).at(-1)).toEqual({
    subject_id: scene.agent.id,
    payload: { version: 2, tools_added: ['calculate'] },
  });
});

test('an MCP tool is stored with its connection and provider, and pinned to the definition of its server', async () => {
  const { status, data } = await scene.add(scene.toMcpTool('send'));
  expect(status).toBe(201);
  expect(data.tool).toMatchObject(scene.toMcpTool('send'));
  const found = await scene.api.call('GET', `/api/agents/${scene.agent.id}/tools/${data.tool.id}`);
  expect(found.data.state).toEqual({
    status: 'active',
    pinnedHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    drift: null,
  });
});

test('the hints of its server decide whether a tool may be repeated, unless the operator does', async () => {
  const hinted = await scene.add(scene.toMcpTool('search'));
  expect(hinted.data.tool.settings).toEqual({ effect: 'read_only' });
  const chosen = await scene.add(scene.toMcpTool('pay', { settings: { effect: 'unsafe', timeoutMs: 500 } }));
  expect(chosen.data.tool.settings).toEqual({ effect: 'unsafe', timeoutMs: 500 });
  const silent = await scene.add(scene.toMcpTool('send'));
  expect(silent.data.tool.settings).toBeUndefined();
});

test('adding a tool with an existing name is a conflict', async () => {
  await scene.add(calculate);
  const again = await scene.add({ ...calculate, description: 'Other.' });
  expect([again.status, again.error.code]).toEqual([409, 'CONFLICT']);
  expect(again.error.message).toContain('"calculate"');
});

test('when two requests add the same name at once, one is a conflict', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => scene.add(calculate)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
});

test('adding a tool to an unknown agent fails with not found', async () => {
  const { status } = await scene.add(calculate, newId());
  expect(status).toBe(404);
});

test('several tools are added in one version', async () => {
  const body = { tools: [scene.toMcpTool('search'), scene.toMcpTool('send'), calculate] };
  const { status, data } = await scene.api.call('POST', `/api/agents/${scene.agent.id}/tools/batch`, {
    body,
  });
  expect(status).toBe(201);
  expect(data.agent.version).toBe(2);
  expect(data.agent.tools.map(({ name }) => name)).toEqual(['search', 'send', 'calculate']);
  const { tools } = (await scene.api.call('GET', `/api/agents/${scene.agent.id}/tools`)).data;
  expect(tools.map(({ state }) => state.pinnedHash !== null)).toEqual([true, true, false]);
});

test('several tools are added all or none, and every invalid one is named', async () => {
  const body = {
    tools: [calculate, scene.toMcpTool('gone'), scene.toMcpTool('send', { config: { provider: 'slack' } })],
  };
  const path = `/api/agents/${scene.agent.id}/tools/batch`;
  const mismatched = await scene.api.call('POST', path, { body });
  expect(mismatched.error.details).toEqual([
    { field: 'tools.2.config.provider', message: 'Connection provider mismatch: expected slack, got mcp' },
  ]);
  const gone = await scene.api.call('POST', path, { body: { tools: body.tools.slice(0, 2) } });
  expect(gone.error.details).toEqual([
    { field: 'tools.1.name', message: `The connection ${scene.connection.name} has no tool "gone".` },
  ]);
  const twice = await scene.api.call('POST', path, { body: { tools: [calculate, calculate] } });
  expect(twice.error.details).toMatchObject([{ field: 'tools.1.name' }]);
  expect((await scene.api.call('GET', `/api/agents/${scene.agent.id}`)).data.agent).toEqual(scene.agent);
});

test.each([
  ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
  ['no name', { name: '' }, 'name'],
  ['an unknown type', { type: 'rpc' }, 'type'],
  ['an unknown field of config', { config: { functionName: 'calculate', secret: 'x' } }, 'config.secret'],
  ['an unknown function', { config: { functionName: 'none' } }, 'config.functionName'],
  ['a schema that is none', { schema: { type: 'objekt' } }, 'schema'],
  [
    'a workflow that is not registered',
    { type: 'workflow', config: { workflowId: 'w' } },
    'config.workflowId',
  ],
  ['no agent', { type: 'agent', config: { agentId: newId() } }, 'config.agentId'],
  [
    'no knowledge base',
    { type: 'knowledge_base', config: { knowledgeBaseId: newId() } },
    'config.knowledgeBaseId',
  ],
  [
    'a gateway to servers that are not there',
    { type: 'mcp', config: { gateway: true, servers: ['none'] } },
    'config.servers.0',
  ],
])('a tool with %s is refused', async (_what, change, field) => {
  const { status, error } = await scene.add({ ...calculate, ...change });
  expect([status, error.code]).toEqual([400, 'INVALID_INPUT']);
  expect(error.details).toContainEqual({ field, message: expect.any(String) as string });
});

test('a connection of another workspace gives the same error as one that does not exist', async () => {
  const other = await scene.api.createWorkspace();
  const theirs = await scene.api.connect({ name: 'theirs', endpoint: scene.server.url }, other.workspaceId);
  for (const connectionId of [theirs.id, newId(), 'no-id']) {
    const { status, error } = await scene.add(scene.toMcpTool('send', { config: { connectionId } }));
    expect([status, error.code]).toEqual([403, 'CONNECTION_ACCESS_DENIED']);
    expect(error.message).toBe(`Connection ${connectionId} not found or access denied`);
  }
});

test('a tool is refused when its connection is to another provider', async () => {
  const wrong = await scene.add(scene.toMcpTool('send', { config: { provider: 'slack' } }));
  expect([wrong.status, wrong.error.details]).toEqual([
    400,
    [{ field: 'config.provider', message: 'Connection provider mismatch: expected slack, got mcp' }],
  ]);
  const missing = await scene.add(scene.toMcpTool('send', { config: { provider: undefined } }));
  expect([missing.status, missing.error.details]).toMatchObject([400, [{ field: 'config.provider' }]]);
});

test.each(['expired', 'revoked', 'error'])(
  'a tool is refused when its connection is %s and has to be reconnected',
  async (status) => {
    await scene.api.database.system('connections').where({ id: scene.connection.id }).update({ status });
    const refused = await scene.add(scene.toMcpTool('send'));
    expect([refused.status, refused.error.code]).toEqual([400, 'CONNECTION_NOT_ACTIVE']);
    expect(refused.error.message).toBe(`Connection ${scene.connection.name} is ${status}. Please reconnect.`);
  },
);

test('a tool of a provider is checked against its operations and not pinned', async () => {
  const slack = await scene.api.connect({
    name: `slack ${newId()}`,
    provider: 'slack',
    auth: { type: 'bearer', token: 't' },
  });
  const config = { connectionId: slack.id, provider: 'slack' };
  const added = await scene.add({ ...scene.toMcpTool('send', { config }), name: 'slack_sendMessage' });
  expect(added.status).toBe(201);
  const { state } = (await scene.api.call('GET', `/api/agents/${scene.agent.id}/tools/${added.data.tool.id}`))
    .data;
  expect(state).toEqual({ status: 'active', pinnedHash: null, drift: null });
  const unknown = await scene.add({ ...scene.toMcpTool('send', { config }), name: 'slack_flyToTheMoon' });
  expect(unknown.error.details).toMatchObject([{ field: 'name' }]);
});

test('a tool of an operation that deletes something asks first, unless its settings say otherwise', async () => {
  const slack = await scene.api.connect({
    name: `slack ${newId()}`,
    provider: 'slack',
    auth: { type: 'bearer', token: 't' },
  });
  const toTool = (tool: string, parts = {}) => ({
    ...scene.toMcpTool('slack', { config: { connectionId: slack.id, provider: 'slack', tool } }),
    ...{ name: `slack ${newId()}`.replaceAll(/[^a-z0-9]/g, '_'), ...parts },
  });
  const asks = await scene.add(toTool('slack_deleteMessage', { settings: { timeoutMs: 500 } }));
  const chosen = await scene.add(toTool('deleteMessage', { settings: { approval: 'never' } }));
  const sends = await scene.add(toTool('slack_sendMessage'));
  expect([asks, chosen, sends].map(({ data }) => data.tool.settings)).toEqual([
    { timeoutMs: 500, approval: 'ask' },
    { approval: 'never' },
    undefined,
  ]);
});

test('an unreachable server does not prevent adding its tool, which is pinned at its first call', async () => {
  const port = await findFreePort();
  const down = await scene.api.connect({ name: `down ${newId()}`, endpoint: `http://127.0.0.1:${port}/mcp` });
  const added = await scene.add(scene.toMcpTool('send', { config: { connectionId: down.id } }));
  expect(added.status).toBe(201);
  const path = `/api/agents/${scene.agent.id}/tools/${added.data.tool.id}`;
  expect((await scene.api.call('GET', path)).data.state.pinnedHash).toBeNull();
  expect(await scene.checkPin(added.data.tool)).toBeNull();
  expect((await scene.api.call('GET', path)).data.state.pinnedHash).toMatch(/^[0-9a-f]{64}$/);
});

test('a tool of type agent gets the name of its agent', async () => {
  const helper = await scene.api.createAgent({ name: 'Lawyer' });
  const { data } = await scene.add({
    ...calculate,
    type: 'agent',
    name: 'ask',
    config: { agentId: helper.id },
  });
  expect(data.tool.config).toEqual({ agentId: helper.id, agentName: 'Lawyer' });
});

test('a gateway refers to connections and connectors of the workspace by name', async () => {
  const gateway = {
    ...calculate,
    type: 'mcp',
    name: 'mcp',
    config: { gateway: true, servers: [scene.connection.name] },
  };
  expect((await scene.add(gateway)).status).toBe(201);
});

test('removing a tool deletes its pin', async () => {
  const { data } = await scene.add(scene.toMcpTool('send'));
  const path = `/api/agents/${scene.agent.id}/tools/${data.tool.id}`;
  const removed = await scene.api.call('DELETE', path);
  expect(removed.data).toMatchObject({ deleted: true, agent: { version: 3, tools: [] } });
  expect((await scene.api.call('GET', path)).status).toBe(404);
  expect((await scene.api.call('DELETE', path)).status).toBe(404);
  const pins = await scene.api.database.system('tool_pins').where({ tool_id: data.tool.id });
  expect(pins).toEqual([]);
});

test('tools that are created with an agent are checked and pinned as others are', async () => {
  const made = await scene.api.createAgent({ tools: [scene.toMcpTool('search')] });
  expect(made.tools[0]?.settings).toEqual({ effect: 'read_only' });
  const pins = () => scene.api.database.system('tool_pins').where({ agent_id: made.id }).pluck('tool_id');
  expect(await pins()).toEqual([made.tools[0]?.id]);
  const path = `/api/agents/${made.id}`;
  const wrong = await scene.api.call('PATCH', path, { body: { tools: [scene.toMcpTool('gone')] } });
  expect(wrong.error.details).toMatchObject([{ field: 'tools.0.name' }]);
  const changed = await scene.api.call('PATCH', path, { body: { tools: [scene.toMcpTool('send')] } });
  expect(await pins()).toEqual([changed.data.agent.tools[0]?.id]);
  const denied = await scene.api.call('POST', '/api/agents', {
    body: {
      name: 'x',
      model: 'demo',
      instructions: '',
      tools: [scene.toMcpTool('send', { config: { connectionId: 'x' } })],
    },
  });
  expect([denied.status, denied.error.code]).toEqual([403, 'CONNECTION_ACCESS_DENIED']);
});

test('an unchanged tool does not prevent changes to the rest of its agent', async () => {
  const made = await scene.api.createAgent({ tools: [scene.toMcpTool('search')] });
  await scene.api.database
    .system('connections')
    .where({ id: scene.connection.id })
    .update({ status: 'expired' });
  const tools = [{ ...scene.toMcpTool('search'), description: 'Finds things.' }, calculate];
  const changed = await scene.api.call('PATCH', `/api/agents/${made.id}`, { body: { tools } });
  expect(changed.status).toBe(200);
  expect(changed.data.agent.tools[0]).toMatchObject({ id: made.tools[0]?.id, description: 'Finds things.' });
  const { tools: states } = (await scene.api.call('GET', `/api/agents/${made.id}/tools`)).data;
  expect(states[0]?.state.pinnedHash).not.toBeNull();
});

test('changing tools requires the scope agents:write', async () => {
  const key = await scene.api.createKey(scene.api.workspaceId, ['agents:read']);
  const path = `/api/agents/${scene.agent.id}/tools`;
  expect((await scene.api.call('GET', path, { key })).status).toBe(200);
  expect((await scene.api.call('POST', path, { key, body: calculate })).status).toBe(403);
});
