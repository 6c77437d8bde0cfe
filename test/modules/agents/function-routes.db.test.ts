import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToolCheck } from '../../../src/engines/tools/check-tool.ts';
import { defineFunction } from '../../../src/engines/functions/define-function.ts';
import { z } from '../../../src/engines/functions/index.ts';
import { createFunctionRegistry } from '../../../src/engines/tools/functions/function-registry.ts';
import { toToolFunction } from '../../../src/engines/tools/functions/own-function.ts';
import { containing } from '../../labs/matchers.ts';
import { plainAgent, startApi, type Api } from '../../labs/api-lab.ts';

const lookUp = defineFunction({
  name: 'orders.look_up',
  description: 'Looks an order up.',
  input: z.object({ orderId: z.string(), mail: z.email().optional() }),
  effect: 'read_only',
  run: () => 'found',
});

let api: Api;

beforeAll(async () => {
  const own = [toToolFunction(lookUp, { secrets: {}, logger: { warn: () => undefined } })];
  const functions = createFunctionRegistry({ own });
  api = await startApi({ functions, checkTool: createToolCheck({ functions }) });
});
afterAll(() => api.stop());

test('the available functions are listed with their input schemas', async () => {
  const { status, data } = await api.call('GET', '/api/functions');
  expect(status).toBe(200);
  const builtIn = data.functions.filter(({ origin }) => origin === 'built_in').map(({ name }) => name);
  expect(builtIn).toEqual([
    ...[
      'current_time',
      'calculate',
      'ask_user',
      'http_request',
      'web_search',
      'file_search',
      'generate_image',
      'run_routine',
      'spawn_swarm',
      'update_swarm_shared_state',
      'end_swarm',
    ],
    ...['resource_manage', 'define_tool', 'remember', 'recall', 'send_message', 'read_tool_result'],
  ]);
  expect(data.functions.at(-1)).toMatchObject({
    ...{ name: 'orders.look_up', description: 'Looks an order up.', effect: 'read_only', origin: 'own' },
    schema: {
      properties: { orderId: { type: 'string' } },
      required: ['orderId'],
      additionalProperties: false,
    },
  });
});

test('listing functions requires a key that may read agents', async () => {
  const key = await api.createKey(api.workspaceId, ['conversations:read']);
  expect((await api.call('GET', '/api/functions', { key })).status).toBe(403);
});

test('a listed function can be added to an agent as a tool', async () => {
  const { data } = await api.call('GET', '/api/functions');
  const tools = data.functions.map(({ name, description, schema }) => {
    return { type: 'function', name, description, schema, config: { functionName: name } };
  });
  const made = await api.call('POST', '/api/agents', { body: { ...plainAgent, tools } });
  expect(made.status).toBe(201);
  expect(made.data.agent.tools).toHaveLength(tools.length);
});

test('each function is stored with its own description and schema when it is added by its name alone', async () => {
  const { data } = await api.call('GET', '/api/functions');
  const tools = data.functions.map(({ name }) => ({ type: 'function', name }));
  const made = await api.call('POST', '/api/agents', { body: { ...plainAgent, tools } });
  expect(made.status).toBe(201);
  expect(made.data.agent.tools).toMatchObject(
    data.functions.map(({ name, description, schema }) => ({ name, description, schema, config: {} })),
  );
});

test('a function needs nothing but its name: description and schema come from the function', async () => {
  const tools = ['calculate', 'orders.look_up', 'dall_e_image_generation'].map((name) => ({
    ...{ type: 'function', name },
  }));
  const made = await api.call('POST', '/api/agents', { body: { ...plainAgent, tools } });
  expect(made.status).toBe(201);
  const { id, tools: stored } = made.data.agent;
  expect(stored).toMatchObject([
    {
      name: 'calculate',
      description: containing('Calculates'),
      schema: { required: ['expression'] },
      config: {},
    },
    { name: 'orders.look_up', description: 'Looks an order up.', schema: { required: ['orderId'] } },
    { name: 'dall_e_image_generation', schema: { required: ['prompt'] } },
  ]);
  const renamed = {
    type: 'function',
    name: 'sum',
    config: { functionName: 'calculate' },
    description: 'Adds.',
  };
  const added = await api.call('POST', `/api/agents/${id}/tools`, { body: renamed });
  expect(added.data.agent.tools.at(-1)).toMatchObject({
    description: 'Adds.',
    schema: { required: ['expression'] },
  });
  const body = { tools: [{ type: 'function', name: 'current_time' }] };
  const more = await api.call('POST', `/api/agents/${id}/tools/batch`, { body });
  expect(more.data.agent.tools.at(-1)).toMatchObject({ description: containing('time') });
  const changed = await api.call('PATCH', `/api/agents/${id}`, { body });
  expect(changed.data.agent.tools).toMatchObject([{ name: 'current_time', description: containing('time') }]);
});

test('a tool that Holdfast cannot describe needs its description and schema', async () => {
  const over = (tool: object) => api.call('POST', '/api/agents', { body: { ...plainAgent, tools: [tool] } });
  expect((await over({ type: 'function', name: 'mine', config: { runs: 'client' } })).error).toMatchObject({
    details: [{ field: 'tools.0.description' }, { field: 'tools.0.schema' }],
  });
  expect((await over({ type: 'function', name: 'mine' })).error).toMatchObject({
    details: [{ field: 'tools.0.config.functionName', message: containing('found "mine"') }],
  });
  expect((await over({ type: 'agent', name: 'mine', config: {} })).error).toMatchObject({
    details: [{ field: 'tools.0.description' }, { field: 'tools.0.schema' }],
  });
});

test('a tool with an unknown function is refused', async () => {
  const tool = {
    type: 'function',
    name: 'x',
    description: '',
    schema: { type: 'object' },
    config: { functionName: 'nope' },
  };
  const refused = await api.call('POST', '/api/agents', { body: { ...plainAgent, tools: [tool] } });
  expect(refused.error).toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ field: 'tools.0.config.functionName', message: containing('orders.look_up') }],
  });
});

test('a function is refused when its back end is not configured or not of the workspace', async () => {
  const id = crypto.randomUUID();
  const tool = { type: 'function', name: 'web_search', description: '', schema: { type: 'object' } };
  const over = (config: object) =>
    api.call('POST', '/api/agents', { body: { ...plainAgent, tools: [{ ...tool, config }] } });
  expect(await over({ connectionId: id })).toMatchObject({
    status: 403,
    error: { message: `Connection ${id} not found or access denied` },
  });
  expect((await over({ knowledgeBaseId: id })).error).toMatchObject({
    details: [{ field: 'tools.0.config.knowledgeBaseId' }],
  });
});
