import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startScriptedModel, type ScriptedModel } from '../../servers/scripted-model.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';

const model = 'compatible/meta-llama/Llama-3';
let scripted: ScriptedModel;

beforeEach(async () => {
  scripted = await startScriptedModel();
});

afterEach(async () => {
  await scripted.close();
});

function createCaller(apiKey?: string) {
  return createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl, apiKey } });
}

test('a compatible model streams the text of an answer and returns the whole text', async () => {
  scripted.reply({ text: 'Good morning to you.' });
  const { call, deltas } = createModelCall({ model });
  const answer = await createCaller()(call);
  expect(deltas).toEqual(['Good ', 'morning ', 'to ', 'you.']);
  expect(answer).toEqual({
    text: 'Good morning to you.',
    reasoning: '',
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 0 },
    answeredBy: 'scripted-model-1',
  });
});

test('a compatible model sends model id, instructions, settings, tools, key and idempotency key', async () => {
  scripted.reply({ text: 'Fine.' });
  const key = `key-${crypto.randomUUID()}`;
  const { call } = createModelCall({ model, tools: [weatherTool], maxOutputTokens: 77, temperature: 0.5 });
  await createCaller(key)(call);
  const [request] = scripted.requests;
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${key}`,
    'idempotency-key': 'turn-1-iteration-1',
  });
  expect(request?.body).toMatchObject({
    model: 'meta-llama/Llama-3',
    stream: true,
    max_tokens: 77,
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'Tells the weather.',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ],
  });
});

test('a compatible model needs no key, sends no empty list of tools, and completes an empty schema', async () => {
  scripted.reply({ text: 'One.' }, { text: 'Two.' });
  const caller = createCaller();
  await caller(createModelCall({ model, instructions: '' }).call);
  await caller(createModelCall({ model, tools: [{ name: 'now', description: '', schema: {} }] }).call);
  const [first, second] = scripted.requests;
  expect(first?.headers.authorization).toBeUndefined();
  expect(first?.body.tools).toBeUndefined();
  expect(first?.body.messages).toEqual([{ role: 'user', content: 'Hello' }]);
  expect(second?.body.tools?.[0]?.function.parameters).toEqual({ type: 'object', properties: {} });
});

test('a compatible model is given no tools when it may not call them, whatever the conversation holds', async () => {
  scripted.reply({ text: 'Rain.' });
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Weather?' },
    { role: 'assistant', text: '', toolCalls: [{ modelCallId: 'a', name: 'get_weather', arguments: {} }] },
    { role: 'tool', modelCallId: 'a', name: 'get_weather', text: 'rain', isError: false },
  ];
  const { call } = createModelCall({ model, messages, tools: [weatherTool], toolChoice: 'none' });
  await createCaller()(call);
  expect(scripted.requests[0]?.body).not.toHaveProperty('tools');
  expect(scripted.requests[0]?.body).not.toHaveProperty('tool_choice');
  expect(scripted.requests[0]?.body.messages).toHaveLength(4);
});

test('a compatible model returns parallel tool calls in their order', async () => {
  scripted.reply({
    text: 'Let me look.',
    toolCalls: [
      { id: 'a', name: 'get_weather', arguments: { city: 'Kiel' } },
      { id: 'b', name: 'get_weather', arguments: { city: 'Ulm' } },
    ],
  });
  const answer = await createCaller()(createModelCall({ model, tools: [weatherTool] }).call);
  expect(answer.finishReason).toBe('tool_calls');
  expect(answer.toolCalls).toEqual([
    { modelCallId: 'a', name: 'get_weather', arguments: { city: 'Kiel' } },
    { modelCallId: 'b', name: 'get_weather', arguments: { city: 'Ulm' } },
  ]);
});

test('a compatible model that calls tools ends with tool calls although the server says stop', async () => {
  scripted.reply({ toolCalls: [{ name: 'get_weather', arguments: {} }], finishReason: 'stop' });
  const answer = await createCaller()(createModelCall({ model, tools: [weatherTool] }).call);
  expect(answer.finishReason).toBe('tool_calls');
});

test('a compatible model returns arguments that are not a JSON object as text', async () => {
  scripted.reply({
    toolCalls: [
      { id: 'a', name: 'get_weather', arguments: '{"city": "Ki' },
      { id: 'b', name: 'get_weather', arguments: '["Kiel"]' },
      { id: 'c', name: 'get_weather', arguments: '42' },
      { id: 'd', name: 'get_weather', arguments: '' },
      { id: 'e', name: 'get_weather', arguments: { city: 'Ulm' } },
    ],
  });
  const answer = await createCaller()(createModelCall({ model, tools: [weatherTool] }).call);
  expect(answer.toolCalls).toEqual([
    { modelCallId: 'a', name: 'get_weather', arguments: null, invalidArguments: '{"city": "Ki' },
    { modelCallId: 'b', name: 'get_weather', arguments: null, invalidArguments: '["Kiel"]' },
    { modelCallId: 'c', name: 'get_weather', arguments: null, invalidArguments: '42' },
    { modelCallId: 'd', name: 'get_weather', arguments: {} },
    { modelCallId: 'e', name: 'get_weather', arguments: { city: 'Ulm' } },
  ]);
});

test('a compatible model returns calls of tools that were not offered, with and without other tools', async () => {
  const toolCalls = [{ id: 'x', name: 'launch_rocket', arguments: { now: true } }];
  scripted.reply({ toolCalls }, { toolCalls });
  const caller = createCaller();
  const expected = [{ modelCallId: 'x', name: 'launch_rocket', arguments: { now: true } }];
  expect((await caller(createModelCall({ model, tools: [weatherTool] }).call)).toolCalls).toEqual(expected);
  expect((await caller(createModelCall({ model }).call)).toolCalls).toEqual(expected);
});

test('a compatible model makes repeated ids of calls within one answer unique', async () => {
  scripted.reply({
    toolCalls: [
      { id: 'call_0', name: 'get_weather', arguments: { city: 'Kiel' } },
      { id: 'call_0', name: 'get_weather', arguments: { city: 'Ulm' } },
    ],
  });
  const { toolCalls } = await createCaller()(createModelCall({ model, tools: [weatherTool] }).call);
  expect(toolCalls.map((call) => call.arguments)).toEqual([{ city: 'Kiel' }, { city: 'Ulm' }]);
  expect(new Set(toolCalls.map((call) => call.modelCallId)).size).toBe(2);
});

test('a compatible model matches calls and results when ids repeat over several iterations', async () => {
  const call0 = { id: 'call_0', name: 'get_weather', arguments: { city: 'Kiel' } };
  scripted.reply(
    { toolCalls: [call0] },
    { reasoning: 'Again.', toolCalls: [call0] },
    { text: 'Rain, rain.' },
  );
  const caller = createCaller();
  const messages: ModelMessage[] = [{ role: 'user', text: 'Weather in Kiel, twice?' }];
  for (const text of ['first rain', 'second rain']) {
    const { call } = createModelCall({ model, messages, tools: [weatherTool] });
    const answer = await caller(call);
    const [toolCall] = answer.toolCalls;
    const modelCallId = toolCall?.modelCallId ?? '';
    messages.push(
      { role: 'assistant', ...answer },
      { role: 'tool', modelCallId, name: 'get_weather', text, isError: false },
    );
  }
  await caller(createModelCall({ model, messages, tools: [weatherTool] }).call);
  const sent = scripted.requests.at(-1)?.body.messages.slice(2);
  expect(sent).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call_0' }] },
    { role: 'tool', tool_call_id: 'call_0', content: 'first rain' },
    { role: 'assistant', reasoning_content: 'Again.', tool_calls: [{ id: 'call_0_2' }] },
    { role: 'tool', tool_call_id: 'call_0_2', content: 'second rain' },
  ]);
});

test('a compatible model reports token usage by kind', async () => {
  scripted.reply({
    text: 'a',
    usage: { inputTokens: 30, cacheReadTokens: 70, outputTokens: 20, reasoningTokens: 8 },
  });
  expect((await createCaller()(createModelCall({ model }).call)).usage).toEqual({
    inputTokens: 30,
    cacheReadTokens: 70,
    cacheWriteTokens: 0,
    outputTokens: 20,
    reasoningTokens: 8,
  });
});

test.each([
  ['a fraction', 12.5, { inputTokens: 13, cacheReadTokens: 13, outputTokens: 13, reasoningTokens: 13 }],
  [
    'more than any model takes',
    1e20,
    {
      ...{ inputTokens: 0, cacheReadTokens: expect.any(Number) as number },
      ...{ outputTokens: 1_000_000, reasoningTokens: 1_000_000, isEstimated: true },
    },
  ],
])('a compatible model rounds and bounds a usage of %s', async (_what, reported, expected) => {
  scripted.reply({
    text: 'a',
    usage: {
      inputTokens: reported,
      cacheReadTokens: reported,
      outputTokens: reported,
      reasoningTokens: reported,
    },
  });
  const { usage } = await createCaller()(createModelCall({ model }).call);
  expect(usage).toEqual({ cacheWriteTokens: 0, ...expected });
});

test('a compatible model that reports a usage of less than nothing has counted nothing', async () => {
  scripted.reply({ text: 'a', usage: { inputTokens: -1, cacheReadTokens: -1, outputTokens: -1 } });
  const { usage } = await createCaller()(createModelCall({ model }).call);
  expect(usage).toMatchObject({ cacheReadTokens: 0, outputTokens: 1, isEstimated: true });
  expect(usage.inputTokens).toBeGreaterThan(0);
});

test('a compatible model separates reasoning from text and sends it back to the same model only', async () => {
  scripted.reply({ reasoning: 'Two and two.', text: 'Four.' }, { text: 'Yes.' }, { text: 'Yes.' });
  const caller = createCaller();
  const answer = await caller(createModelCall({ model }).call);
  expect(answer).toMatchObject({ reasoning: 'Two and two.', text: 'Four.' });
  const messages: ModelMessage[] = [
    { role: 'user', text: '2 + 2?' },
    { role: 'assistant', ...answer },
    { role: 'user', text: 'Sure?' },
  ];
  await caller(createModelCall({ model, messages }).call);
  await caller(createModelCall({ model: 'compatible/other', messages }).call);
  expect(scripted.requests[1]?.body.messages[2]).toMatchObject({
    content: 'Four.',
    reasoning_content: 'Two and two.',
  });
  expect(scripted.requests[2]?.body.messages[2]).toEqual({ role: 'assistant', content: 'Four.' });
});

test('a compatible model accepts an empty answer', async () => {
  scripted.reply({});
  const answer = await createCaller()(createModelCall({ model }).call);
  expect(answer).toMatchObject({ text: '', toolCalls: [], finishReason: 'stop' });
});

test.each([
  ['length', 'length'],
  ['content_filter', 'content_filter'],
  ['something_new', 'other'],
])('a compatible model maps the finish reason %s to %s', async (finishReason, expected) => {
  scripted.reply({ text: 'Well', finishReason });
  expect((await createCaller()(createModelCall({ model }).call)).finishReason).toBe(expected);
});

test('a compatible model aborts the HTTP request in the middle of a stream', async () => {
  scripted.reply({ text: 'This takes a while', hang: true });
  const controller = new AbortController();
  const reason = new Error('stopped by the user');
  const { call, deltas } = createModelCall({ model, signal: controller.signal });
  call.onTextDelta = (text) => {
    deltas.push(text);
    if (deltas.length === 4) controller.abort(reason);
  };
  await expect(createCaller()(call)).rejects.toBe(reason);
  const [request] = scripted.requests;
  await request?.closed;
  expect(request?.aborted).toBe(true);
  expect(deltas.join('')).toBe('This takes a while');
});

test('a compatible model aborts the HTTP request before the first byte', async () => {
  scripted.reply({ hang: true });
  const controller = new AbortController();
  const reason = new Error('too late');
  const answer = createCaller()(createModelCall({ model, signal: controller.signal }).call);
  const request = await scripted.waitForRequest(1);
  controller.abort(reason);
  await expect(answer).rejects.toBe(reason);
  await request.closed;
  expect(request.aborted).toBe(true);
});

test('a compatible model sends no request when the signal is already aborted', async () => {
  const reason = new Error('gone');
  const { call } = createModelCall({ model, signal: AbortSignal.abort(reason) });
  await expect(createCaller()(call)).rejects.toBe(reason);
  expect(scripted.requests).toHaveLength(0);
});

test('a compatible model aborts the request when the receiver of the text throws', async () => {
  scripted.reply({ text: 'one two', hang: true });
  const { call } = createModelCall({ model });
  call.onTextDelta = () => {
    throw new Error('nobody listens');
  };
  await expect(createCaller()(call)).rejects.toThrow('nobody listens');
  const request = await scripted.waitForRequest(1);
  await request.closed;
  expect(request.aborted).toBe(true);
});
