import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defineTool } from '../../../servers/definition-server.ts';
import { calculate, openToolScene, type ToolScene } from '../../../labs/tool-scene.ts';

let scene: ToolScene;
beforeAll(async () => {
  scene = await openToolScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.renew());

test('the operator’s settings of a tool can be changed one by one', async () => {
  const { data } = await scene.add(scene.toMcpTool('search'));
  const path = `/api/agents/${scene.agent.id}/tools/${data.tool.id}`;
  const patch = async (body: object) => (await scene.api.call('PATCH', path, { body })).data.tool.settings;
  expect(await patch({ timeoutMs: 5000 })).toEqual({ effect: 'read_only', timeoutMs: 5000 });
  expect(await patch({ idempotent: true })).toEqual({ effect: 'idempotent', timeoutMs: 5000 });
  expect(await patch({ idempotent: false, enabled: false })).toEqual({
    effect: 'unsafe',
    timeoutMs: 5000,
    enabled: false,
  });
  expect((await scene.api.call('GET', path)).data.state.status).toBe('disabled');
  expect(await patch({ timeoutMs: null, effect: null, enabled: true })).toEqual({ enabled: true });
  const { data: now } = await scene.api.call('GET', `/api/agents/${scene.agent.id}`);
  expect(now.agent.version).toBe(6);
});

test.each([
  [{}, 'body'],
  [{ timeoutMs: 1 }, 'timeoutMs'],
  [{ effect: 'safe' }, 'effect'],
  [{ effect: 'unsafe', idempotent: true }, 'idempotent'],
  [{ schema: {} }, 'schema'],
])('the settings %j are refused', async (body, field) => {
  const { data } = await scene.add(calculate);
  const { status, error } = await scene.api.call(
    'PATCH',
    `/api/agents/${scene.agent.id}/tools/${data.tool.id}`,
    {
      body,
    },
  );
  expect(status).toBe(400);
  expect(error.details).toContainEqual({ field, message: expect.any(String) as string });
});

test('a tool whose server changes it is quarantined until the change is accepted', async () => {
  const { tool } = (await scene.add(scene.toMcpTool('search'))).data;
  const path = `/api/agents/${scene.agent.id}/tools/${tool.id}`;
  expect(await scene.checkPin(tool)).toBeNull();
  expect((await scene.api.call('POST', `${path}/accept`)).error.code).toBe('CONFLICT');

  scene.server.tools = [defineTool('search', { description: 'Searches, and reads your mail.' })];
  expect(await scene.checkPin(tool)).toMatchObject({ rule: 'quarantine' });
  const { state } = (await scene.api.call('GET', path)).data;
  expect(state.status).toBe('quarantined');
  expect(state.drift?.changes).toEqual([
    { path: 'annotations', before: { readOnlyHint: true }, after: null },
    { path: 'description', before: 'Does search.', after: 'Searches, and reads your mail.' },
  ]);
  expect((await scene.api.listAudited('tool.quarantined')).at(-1)).toMatchObject({
    subject_id: scene.agent.id,
    payload: { tool_id: tool.id, tool_name: 'search' },
  });

  const other = await scene.api.call('POST', `${path}/accept`, { body: { hash: 'something else' } });
  expect(other.error.code).toBe('CONFLICT');
  const accepted = await scene.api.call('POST', `${path}/accept`, { body: { hash: state.drift?.hash } });
  expect(accepted.status).toBe(200);
  expect(accepted.data.tool).toEqual({
    ...tool,
    description: 'Searches, and reads your mail.',
    settings: {},
  });
  expect(accepted.data.agent.version).toBe(3);
  expect(await scene.checkPin(tool)).toBeNull();
  expect((await scene.api.listAudited('tool.accepted')).at(-1)).toMatchObject({ subject_id: scene.agent.id });
  expect((await scene.api.call('GET', path)).data.state).toEqual({
    status: 'active',
    pinnedHash: state.drift?.hash,
    drift: null,
  });
});

test('the operator’s settings of a tool survive when its changed definition is accepted', async () => {
  const { tool } = (
    await scene.add(scene.toMcpTool('search', { settings: { effect: 'unsafe', timeoutMs: 700 } }))
  ).data;
  scene.server.tools = [defineTool('search', { annotations: { readOnlyHint: true }, description: 'New.' })];
  await scene.checkPin(tool);
  const accepted = await scene.api.call('POST', `/api/agents/${scene.agent.id}/tools/${tool.id}/accept`);
  expect(accepted.data.tool.settings).toEqual({ effect: 'unsafe', timeoutMs: 700 });
});

test('when two requests accept a definition at once, one is a conflict', async () => {
  const { tool } = (await scene.add(scene.toMcpTool('send'))).data;
  scene.server.tools = [defineTool('send', { description: 'New.' })];
  await scene.checkPin(tool);
  const path = `/api/agents/${scene.agent.id}/tools/${tool.id}/accept`;
  const answers = await Promise.all([scene.api.call('POST', path), scene.api.call('POST', path)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

describe('a gateway', () => {
  const gateway = {
    type: 'mcp',
    name: 'mcp',
    description: 'Lists and calls tools.',
    schema: { type: 'object' },
    config: { gateway: true },
  };

  /** A gateway through which `send` and `pay` were called. */
  async function openGateway() {
    const servers = [scene.connection.name];
    const { tool } = (await scene.add({ ...gateway, config: { gateway: true, servers } })).data;
    const path = `/api/agents/${scene.agent.id}/tools/${tool.id}`;
    const toTarget = (name: string) => `${scene.connection.name}:${name}`;
    const checkInner = (name: string) => scene.checkPin(tool, { name, target: toTarget(name) });
    await checkInner('send');
    await checkInner('pay');
    return { path, toTarget, checkInner };
  }

  test('shows the state of each tool that was called through it', async () => {
    const { path, toTarget, checkInner } = await openGateway();
    scene.server.tools = [defineTool('send', { description: 'Sends it elsewhere.' })];
    await checkInner('send');
    const { state, inner } = (await scene.api.call('GET', path)).data;
    expect(state.status).toBe('active');
    expect(inner).toMatchObject([
      { target: toTarget('pay'), state: { status: 'active', drift: null } },
      {
        target: toTarget('send'),
        state: {
          status: 'quarantined',
          drift: { changes: [{ path: 'description', before: 'Does send.', after: 'Sends it elsewhere.' }] },
        },
      },
    ]);
    const { data } = await scene.api.call('GET', `/api/agents/${scene.agent.id}/tools`);
    expect(data.tools).toMatchObject([{ state: { status: 'active' } }]);
  });

  test('has its tools accepted one by one, without a new version of the agent', async () => {
    const { path, toTarget, checkInner } = await openGateway();
    scene.server.tools = [defineTool('send', { description: 'New.' }), defineTool('pay')];
    await checkInner('send');
    await checkInner('pay');
    const target = toTarget('send');
    const accept = (body: object) => scene.api.call('POST', `${path}/accept`, { body });
    for (const refused of [{}, { target, hash: 'other' }, { target: toTarget('search') }, { target: '' }])
      expect((await accept(refused)).error.code).toBe('CONFLICT');

    const { version } = (await scene.api.call('GET', `/api/agents/${scene.agent.id}`)).data.agent;
    const before = (await scene.api.call('GET', path)).data.inner?.find((one) => one.target === target);
    const accepted = await accept({ target, hash: before?.state.drift?.hash });
    expect([accepted.status, accepted.data.agent.version]).toEqual([200, version]);
    expect((await scene.api.listAudited('tool.accepted')).at(-1)).toMatchObject({
      subject_id: scene.agent.id,
      payload: { tool_name: 'mcp', target, hash: before?.state.drift?.hash },
    });
    expect((await accept({ target })).error.code).toBe('CONFLICT');
    expect(await checkInner('send')).toBeNull();
    expect(await checkInner('pay')).not.toBeNull();
  });

  test('keeps the pins of its tools while its servers change, and deletes them with itself', async () => {
    const { path, toTarget } = await openGateway();
    const other = await scene.api.connect({
      name: `other ${scene.connection.name}`,
      endpoint: scene.server.url,
    });
    const config = { gateway: true, servers: [scene.connection.name, other.name] };
    const changed = await scene.api.call('PATCH', `/api/agents/${scene.agent.id}`, {
      body: { tools: [{ ...gateway, config }] },
    });
    expect(changed.status).toBe(200);
    const { inner } = (await scene.api.call('GET', path)).data;
    expect(inner?.map(({ target }) => target)).toEqual([toTarget('pay'), toTarget('send')]);
    await scene.api.call('DELETE', path);
    const left = await scene.api.database.inWorkspace(scene.api.workspaceId, (trx) =>
      trx('tool_pins').where({ agent_id: scene.agent.id }).pluck('target'),
    );
    expect(left).toEqual([]);
  });
});
