import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Agent } from '../../../../src/domain/agent.ts';
import { containing } from '../../../labs/matchers.ts';
import { calculate, openToolScene, type ToolScene } from '../../../labs/tool-scene.ts';
import { defineTool } from '../../../servers/definition-server.ts';

let scene: ToolScene;
beforeAll(async () => {
  scene = await openToolScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.renew());

type Way = (tool: object) => Promise<{ status: number; agent: Agent }>;

/** The ways by which an agent gets a tool. */
const ways: Record<string, Way> = {
  'one tool': async (tool) => {
    const { status, data } = await scene.add(tool);
    return { status, agent: data.agent };
  },
  'several tools': async (tool) => {
    const path = `/api/agents/${scene.agent.id}/tools/batch`;
    const { status, data } = await scene.api.call('POST', path, { body: { tools: [tool] } });
    return { status, agent: data.agent };
  },
  'a new agent': async (tool) => {
    const body = { name: `agent ${scene.agent.id}`, model: 'demo', instructions: '', tools: [tool] };
    const { status, data } = await scene.api.call('POST', '/api/agents', { body });
    return { status, agent: data.agent };
  },
  'a changed agent': async (tool) => {
    const path = `/api/agents/${scene.agent.id}`;
    const { status, data } = await scene.api.call('PATCH', path, { body: { tools: [tool] } });
    return { status, agent: data.agent };
  },
  'an accepted change': async (tool) => {
    const added = await scene.add(scene.toMcpTool('send'));
    const { description, schema } = tool as { description: string; schema: { type: 'object' } };
    scene.server.tools = [defineTool('send', { description, inputSchema: schema })];
    await scene.checkPin(added.data.tool);
    const path = `/api/agents/${scene.agent.id}/tools/${added.data.tool.id}/accept`;
    const { status, data } = await scene.api.call('POST', path, {});
    return { status, agent: data.agent };
  },
};

describe.each(Object.entries(ways))('%s', (_name, add) => {
  test('cuts a long description, and says so', async () => {
    const { status, agent } = await add({ ...scene.toMcpTool('send'), description: 'x'.repeat(10_000) });
    expect(status).toBeLessThan(300);
    expect(agent.tools[0]?.description).toBe(`${'x'.repeat(3999)}…`);
    expect(agent.warnings).toEqual([
      { field: 'tools.0.description', message: containing('its end is cut off') },
    ]);
  });

  test('takes the patterns of pydantic, and says which pattern it does not match', async () => {
    const decimal = { type: 'string', pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' };
    const repeated = { type: 'string', pattern: '(a)\\1' };
    const schema = { type: 'object', properties: { price: decimal } };
    const plain = await add({ ...scene.toMcpTool('send'), schema });
    expect([plain.status < 300, plain.agent.warnings]).toEqual([true, undefined]);
    expect(plain.agent.tools[0]?.schema).toEqual(schema);
    await scene.renew();
    const odd = { type: 'object', properties: { price: decimal, code: repeated } };
    const { status, agent } = await add({ ...scene.toMcpTool('send'), schema: odd });
    expect(status).toBeLessThan(300);
    expect(agent.warnings).toEqual([
      { field: 'tools.0.schema', message: containing('/properties/code/pattern') },
    ]);
  });
});

test('more tools than a model takes are named, where it is one of the agent', async () => {
  const tools = Array.from({ length: 130 }, (_, index) => ({
    ...calculate,
    name: `calculate_${index}`,
    config: { functionName: 'calculate' },
  }));
  const fallbackModels = [{ model: 'anthropic/claude-sonnet-5' }, { model: 'google/gemini-3-pro-preview' }];
  const body = { name: 'many', model: 'demo', fallbackModels, instructions: '', tools };
  const { status, data } = await scene.api.call('POST', '/api/agents', { body });
  expect(status).toBe(201);
  const { warnings = [] } = data.agent;
  expect(warnings.filter(({ message }) => message.includes('takes 128 tools'))).toEqual([
    {
      field: 'fallbackModels.1.model',
      message:
        'google/gemini-3-pro-preview takes 128 tools, and the agent has 130: those from "calculate_128" on are not ' +
        'offered to it. A gateway has room for more.',
    },
  ]);
});
