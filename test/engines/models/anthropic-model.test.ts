import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startEventStreamServer, type Reply } from '../../servers/event-stream-server.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';

const model = 'anthropic/claude-sonnet-4-5';
let server: Awaited<ReturnType<typeof startEventStreamServer>>;

afterEach(() => server.close());

async function start(...replies: Reply[]) {
  server = await startEventStreamServer(...replies);
  const apiKey = `test-${crypto.randomUUID()}`;
  const callModel = createLanguageModelCaller({ anthropic: { apiKey, baseUrl: server.baseUrl } });
  return { apiKey, callModel };
}

const usage = {
  input_tokens: 12,
  cache_creation_input_tokens: 34,
  cache_read_input_tokens: 56,
  output_tokens: 1,
};

const messageStart = {
  type: 'message_start',
  message: { type: 'message', id: 'msg_1', role: 'assistant', model: 'claude-x-2026', content: [], usage },
};

function finish(reason: string): JsonObject[] {
  return [
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 78 },
    },
    { type: 'message_stop' },
  ];
}

function addBlock(index: number, block: JsonObject, ...deltas: JsonObject[]): JsonObject[] {
  return [
    { type: 'content_block_start', index, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

const text = addBlock(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hello.' });

test('the Anthropic model uses the Messages API and reports all four kinds of token usage', async () => {
  const { callModel, apiKey } = await start({
    events: [messageStart, ...text, ...finish('end_turn')],
  });
  const { call, deltas } = createModelCall({ model, tools: [weatherTool], maxOutputTokens: 300 });
  const answer = await callModel(call);
  expect(deltas).toEqual(['Hello.']);
  expect(answer).toMatchObject({ text: 'Hello.', finishReason: 'stop', answeredBy: 'claude-x-2026' });
  expect(answer.usage).toEqual({
    inputTokens: 12,
    cacheReadTokens: 56,
    cacheWriteTokens: 34,
    outputTokens: 78,
    reasoningTokens: 0,
  });
  expect(server.requests[0]).toMatchObject({
    url: '/v1/messages',
    headers: { 'x-api-key': apiKey, 'idempotency-key': 'turn-1-iteration-1' },
    body: {
      model: 'claude-sonnet-4-5',
      stream: true,
      max_tokens: 300,
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: [{ name: 'get_weather', description: 'Tells the weather.', input_schema: weatherTool.schema }],
    },
  });
});

test('the Anthropic model sends signed reasoning back with the calls that followed it', async () => {
  const { callModel } = await start(
    {
      events: [
        messageStart,
        ...addBlock(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'Look it up.' },
          { type: 'signature_delta', signature: 'signed' },
        ),
        ...addBlock(1, { type: 'redacted_thinking', data: 'sealed' }),
        ...addBlock(
          2,
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
          { type: 'input_json_delta', partial_json: '{"city":' },
          { type: 'input_json_delta', partial_json: '"Kiel"}' },
        ),
        ...finish('tool_use'),
      ],
    },
    { events: [messageStart, ...text, ...finish('end_turn')] },
  );
  const answer = await callModel(createModelCall({ model, tools: [weatherTool] }).call);
  expect(answer).toMatchObject({
    reasoning: 'Look it up.',
    finishReason: 'tool_calls',
    toolCalls: [{ modelCallId: 'toolu_1', name: 'get_weather', arguments: { city: 'Kiel' } }],
  });
  const stored = JSON.parse(JSON.stringify({ role: 'assistant', ...answer })) as ModelMessage;
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Weather?' },
    stored,
    { role: 'tool', modelCallId: 'toolu_1', name: 'get_weather', text: 'no such city', isError: true },
  ];
  await callModel(createModelCall({ model, messages, tools: [weatherTool] }).call);
  expect(server.requests[1]?.body['messages']).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Look it up.', signature: 'signed' },
        { type: 'redacted_thinking', data: 'sealed' },
        { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Kiel' } },
      ],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'no such city', is_error: true }],
    },
  ]);
});

const calledMessages: ModelMessage[] = [
  { role: 'user', text: 'Weather?' },
  {
    role: 'assistant',
    text: '',
    toolCalls: [{ modelCallId: 'toolu_1', name: 'get_weather', arguments: { city: 'Kiel' } }],
  },
  { role: 'tool', modelCallId: 'toolu_1', name: 'get_weather', text: 'rain', isError: false },
];

test('the Anthropic model declares tools that may not be called when the conversation has calls of them', async () => {
  const { callModel } = await start({ events: [messageStart, ...text, ...finish('end_turn')] });
  const { call } = createModelCall({
    model,
    messages: calledMessages,
    tools: [weatherTool],
    toolChoice: 'none',
  });
  await expect(callModel(call)).resolves.toMatchObject({ text: 'Hello.', toolCalls: [] });
  expect(server.requests[0]?.body).toMatchObject({
    tools: [{ name: 'get_weather', input_schema: weatherTool.schema }],
    tool_choice: { type: 'none' },
  });
});

test('the Anthropic model declares the tools of earlier calls when the agent has no tools any more', async () => {
  const reply = { events: [messageStart, ...text, ...finish('end_turn')] };
  const { callModel } = await start(reply, reply);
  await callModel(createModelCall({ model, messages: calledMessages }).call);
  await callModel(createModelCall({ model, toolChoice: 'none' }).call);
  const [called, plain] = server.requests;
  expect(called?.body).toMatchObject({
    tools: [{ name: 'get_weather', input_schema: { type: 'object', properties: {} } }],
    tool_choice: { type: 'none' },
  });
  expect(plain?.body).not.toHaveProperty('tools');
  expect(plain?.body).not.toHaveProperty('tool_choice');
});

test('the Anthropic model keeps the text of an answer that calls a tool without permission', async () => {
  const call0 = addBlock(
    1,
    { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: {} },
    { type: 'input_json_delta', partial_json: '{"city":"Kiel"}' },
  );
  const events = [messageStart, ...text, ...call0];
  const { callModel } = await start({ events: [...events, ...finish('tool_use')] }, { events });
  const { call, deltas } = createModelCall({ model, tools: [weatherTool], toolChoice: 'none' });
  const answer = await callModel(call);
  expect(answer).toMatchObject({ text: 'Hello.', toolCalls: [], usage: { outputTokens: 78 } });
  expect(deltas).toEqual(['Hello.']);
  // The same, cut off before its end.
  await expect(callModel(call)).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' });
});

test('the Anthropic model reports a stream without its last event as a bad response', async () => {
  const { callModel } = await start({ events: [messageStart, ...text] });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({
    code: 'MODEL_BAD_RESPONSE',
  });
});

test.each([
  ['at once', [] as JsonObject[]],
  ['half-way', [messageStart, ...text]],
])(
  'the Anthropic model reports "overloaded" that comes %s inside a stream as unavailable',
  async (_when, before) => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const { callModel } = await start({ events: [...before, { type: 'error', error }] });
    const failure = expect(callModel(createModelCall({ model }).call)).rejects;
    await failure.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  },
);

test('the Anthropic model quotes the vendor’s answer to a wrong key', async () => {
  const error = { type: 'authentication_error', message: 'invalid x-api-key' };
  const { callModel } = await start({ status: 401, body: { type: 'error', error } });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({
    code: 'MODEL_AUTHENTICATION',
    message: `${model} answered with HTTP 401: invalid x-api-key`,
  });
});

test('the Anthropic model gets the settings of an agent', async () => {
  const { callModel } = await start({ events: [messageStart, ...text, ...finish('end_turn')] });
  const settings = { temperature: 0.3, toolChoice: 'required', parallelToolCalls: false } as const;
  await callModel(createModelCall({ model, tools: [weatherTool], ...settings }).call);
  expect(server.requests[0]?.body).toMatchObject({
    temperature: 0.3,
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
  });
});

test.each([
  { id: 'claude-sonnet-4-5', by: 'another model', parts: undefined, reasons: false },
  {
    ...{ id: 'claude-sonnet-4-5', by: 'itself without reasoning', reasons: false },
    parts: [{ type: 'text', text: 'Hm.' }],
  },
  {
    ...{ id: 'claude-sonnet-4-5', by: 'itself', reasons: true },
    parts: [{ type: 'reasoning', text: 'Hm.' }],
  },
  { id: 'claude-opus-4-8', by: 'another model', parts: undefined, reasons: true },
])('$id reasons after tool calls of $by only where the vendor takes that', async ({ id, parts, reasons }) => {
  const name = `anthropic/${id}`;
  const { callModel } = await start({ events: [messageStart, ...text, ...finish('end_turn')] });
  const calls = [{ modelCallId: 'c', name: 'get_weather', arguments: {} }];
  const call = { type: 'tool-call', toolCallId: 'c', toolName: 'get_weather', input: {} };
  const kept = parts && { providerContent: { model: name, parts: [...parts, call] } };
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Hello' },
    { role: 'assistant', text: 'Hi.', toolCalls: [] },
    { role: 'user', text: 'Weather?' },
    { role: 'assistant', text: '', toolCalls: calls, ...kept },
    { role: 'tool', modelCallId: 'c', name: 'get_weather', text: 'rain', isError: false },
  ];
  const asked = createModelCall({ model: name, tools: [weatherTool], messages, reasoningEffort: 'low' });
  await callModel(asked.call);
  expect(server.requests[0]?.body['thinking'] !== undefined).toBe(reasons);
});
