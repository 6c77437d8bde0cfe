import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Agent } from '../../../../src/domain/agent.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { ToolCallDetails } from '../../../../src/domain/tool-response.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { startLabApi, type LabApi } from '../../../labs/lab-api.ts';
import { shareTurnLab, type TurnLab } from '../../../labs/turn-lab.ts';

let lab: TurnLab;
let api: LabApi;
beforeAll(async () => {
  lab = await shareTurnLab();
  api = await startLabApi(lab);
});
afterAll(async () => {
  await api.stop();
  await lab.close();
});

interface FunctionListing {
  name: string;
  description: string;
  schema: JsonObject;
}

const done = { isError: false, error: null };
const refused = { isError: true, error: { code: 'TOOL_EXECUTION_FAILED' } };
const missing = newId();

/** Calls of functions, and how they end where no back ends are set up. */
const calls: [string, JsonObject, object][] = [
  ['current_time', {}, done],
  ['calculate', { expression: '6 * 7' }, { ...done, content: [{ type: 'text', text: '42' }] }],
  ['http_request', { method: 'GET', url: 'ftp://nowhere' }, refused],
  ['web_search', { query: 'tea' }, refused],
  ['file_search', { query: 'tea' }, refused],
  ['dall_e_image_generation', { prompt: 'A boat' }, refused],
  ['run_routine', { action: 'start', routineId: missing }, refused],
  ['resource_manage', { op: 'find', resource_type: 'note' }, done],
  ['define_tool', { toolName: 'resource_manage', variant: 'note', op: 'add' }, done],
  ['recall', { query: 'tea' }, done],
  ['read_tool_result', { callId: missing }, refused],
];

test('a model is shown each function of an agent that has it by name alone, and each answers in one form', async () => {
  const { functions } = await api.ask<{ functions: FunctionListing[] }>('GET', '/api/functions');
  const names = [...functions.map(({ name }) => name), 'dall_e_image_generation'];
  const settings = { credits: '25' };
  const tools = names.map((name) => ({
    ...{ type: 'function', name },
    ...(name === 'calculate' ? { settings } : {}),
  }));
  const agentInput = {
    ...{ name: 'Named', model: 'compatible/named', instructions: 'Help.', execution: 'direct' },
    tools,
  };
  const { agent } = await api.ask<{ agent: Agent }>('POST', '/api/agents', agentInput);
  lab.model.reply(
    { toolCalls: calls.map(([name, input]) => ({ name, arguments: input })) },
    { text: 'All done.' },
  );
  const turn = await api.say(agent.id, 'Try everything.');
  expect(turn).toMatchObject({ outcome: 'completed', answer: 'All done.' });

  const shown = lab.model.requests[0]?.body.tools?.map((tool) => tool.function) ?? [];
  expect(shown.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  for (const { name, description, schema } of functions)
    expect(shown.find((one) => one.name === name)).toMatchObject({ description, parameters: schema });
  const image = functions.find(({ name }) => name === 'generate_image');
  expect(shown.find(({ name }) => name === 'dall_e_image_generation')).toMatchObject({
    ...{ description: image?.description, parameters: image?.schema },
  });

  expect(turn.toolCalls.map(({ name }) => name)).toEqual(calls.map(([name]) => name));
  for (const [index, [name, , expected]] of calls.entries()) {
    const path = `/api/turns/${turn.id}/tool-calls/${turn.toolCalls[index]?.id}`;
    const { response } = (await api.ask<{ toolCall: ToolCallDetails }>('GET', path)).toolCall;
    const text = expect.stringMatching(/./) as string;
    const form = { content: [{ type: 'text', text }], creditsUsed: name === 'calculate' ? '25' : '0' };
    expect(response, `${name}: ${JSON.stringify(response)}`).toMatchObject({ ...form, ...expected });
    if (response?.error) expect(response.error.creditsUsed).toBe('0');
  }
});
