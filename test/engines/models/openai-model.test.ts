import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startEventStreamServer, type Reply } from '../../servers/event-stream-server.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';

const model = 'openai/gpt-5';
let server: Awaited<ReturnType<typeof startEventStreamServer>>;

afterEach(() => server.close());

async function start(...replies: Reply[]) {
  server = await startEventStreamServer(...replies);
  const apiKey = `test-${crypto.randomUUID()}`;
  return {
    apiKey,
    callModel: createLanguageModelCaller({ openai: { apiKey, baseUrl: server.baseUrl } }),
  };
}

function finish(usage: JsonObject): JsonObject[] {
  const response = { id: 'resp_1', created_at: 1, model: 'gpt-5-2026', usage, incomplete_details: null };
  return [{ type: 'response.completed', sequence_number: 99, response }];
}

const created = {
  type: 'response.created',
  sequence_number: 0,
  response: { id: 'resp_1', created_at: 1, model: 'gpt-5-2026' },
};

function addReasoning(): JsonObject[] {
  const item = { type: 'reasoning', id: 'rs_1', encrypted_content: null, summary: [] };
  return [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', output_index: 0, summary_index: 0 },
    {
      type: 'response.reasoning_summary_text.delta',
      item_id: 'rs_1',
      output_index: 0,
      summary_index: 0,
      delta: 'Hm.',
    },
    { type: 'response.reasoning_summary_part.done', item_id: 'rs_1', output_index: 0, summary_index: 0 },
    { type: 'response.output_item.done', output_index: 0, item: { ...item, encrypted_content: 'sealed' } },
  ];
}

function addCall(): JsonObject[] {
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'get_weather', arguments: '' };
  const written = '{"city":"Kiel"}';
  return [
    { type: 'response.output_item.added', output_index: 1, item },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: written },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { ...item, arguments: written, status: 'completed' },
    },
  ];
}

function addText(text: string): JsonObject[] {
  const item = { type: 'message', id: 'msg_1' };
  return [
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: text },
    { type: 'response.output_item.done', output_index: 0, item },
  ];
}

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 30 },
};

test('the OpenAI model uses the Responses API and stores nothing at the vendor', async () => {
  const { callModel, apiKey } = await start({
    events: [created, ...addText('Hello.'), ...finish(usage)],
  });
  const { call, deltas } = createModelCall({ model, tools: [weatherTool], maxOutputTokens: 200 });
  const answer = await callModel(call);
  expect(deltas).toEqual(['Hello.']);
  expect(answer).toMatchObject({ text: 'Hello.', finishReason: 'stop', answeredBy: 'gpt-5-2026' });
  expect(answer.usage).toEqual({
    inputTokens: 40,
    cacheReadTokens: 60,
    cacheWriteTokens: 0,
    outputTokens: 50,
    reasoningTokens: 30,
  });
  expect(server.requests[0]).toMatchObject({
    url: '/v1/responses',
    headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'turn-1-iteration-1' },
    body: {
      model: 'gpt-5',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 200,
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
      ],
      tools: [{ type: 'function', name: 'get_weather', strict: false }],
    },
  });
});

test('the OpenAI model sends encrypted reasoning back with the calls that followed it', async () => {
  const { callModel } = await start(
    { events: [created, ...addReasoning(), ...addCall(), ...finish(usage)] },
    { events: [created, ...addText('Rain.'), ...finish(usage)] },
  );
  const answer = await callModel(createModelCall({ model, tools: [weatherTool] }).call);
  expect(answer).toMatchObject({
    reasoning: 'Hm.',
    finishReason: 'tool_calls',
    toolCalls: [{ modelCallId: 'call_1', name: 'get_weather', arguments: { city: 'Kiel' } }],
  });
  const stored = JSON.parse(JSON.stringify({ role: 'assistant', ...answer })) as ModelMessage;
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Weather?' },
    stored,
    { role: 'tool', modelCallId: 'call_1', name: 'get_weather', text: 'rain', isError: false },
  ];
  await callModel(createModelCall({ model, messages, tools: [weatherTool] }).call);
  expect(server.requests[1]?.body['input']).toMatchObject([
    { role: 'developer' },
    { role: 'user' },
    { type: 'reasoning', encrypted_content: 'sealed', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Kiel"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
  ]);
});

test('the OpenAI model is shown tools that it may not call, since its cache begins with them', async () => {
  const { callModel } = await start({ events: [created, ...addText('Hello.'), ...finish(usage)] });
  const { call } = createModelCall({ model, tools: [weatherTool], toolChoice: 'none' });
  await expect(callModel(call)).resolves.toMatchObject({ text: 'Hello.' });
  expect(server.requests[0]?.body).toMatchObject({ tools: [{ name: 'get_weather' }], tool_choice: 'none' });
});

test('the OpenAI model reports a stream without its last event as a bad response', async () => {
  const { callModel } = await start({ events: [created, ...addText('Hel')] });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({
    code: 'MODEL_BAD_RESPONSE',
  });
});

test.each([
  ['server_error', 'MODEL_UNAVAILABLE', true],
  ['rate_limit_exceeded', 'MODEL_RATE_LIMITED', true],
  ['insufficient_quota', 'MODEL_RATE_LIMITED', false],
])('the OpenAI model reports the failure %s inside a stream as %s', async (failure, code, retryable) => {
  const error = { code: failure, message: 'It went wrong.' };
  const failed = {
    type: 'response.failed',
    sequence_number: 3,
    response: { error, incomplete_details: null },
  };
  const { callModel } = await start({ events: [created, ...addText('Hel'), failed] });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({ code, retryable });
});

test('the OpenAI model gets the settings of an agent, but nothing that is meant for another vendor', async () => {
  const { callModel } = await start({ events: [created, ...addCall(), ...finish(usage)] });
  const { call } = createModelCall({
    model,
    tools: [weatherTool],
    reasoningEffort: 'low',
    toolChoice: { tool: 'get_weather' },
    parallelToolCalls: false,
    headers: { 'OpenAI-Project': 'proj_1' },
    providerOptions: { openai: { serviceTier: 'flex', store: true }, anthropic: { speed: 'fast' } },
  });
  await callModel(call);
  const [request] = server.requests;
  expect(request?.headers).toMatchObject({ 'openai-project': 'proj_1' });
  expect(request?.body).toMatchObject({
    reasoning: { effort: 'low' },
    tool_choice: { type: 'function', name: 'get_weather' },
    parallel_tool_calls: false,
    service_tier: 'flex',
    store: false,
  });
  expect(request?.body).not.toHaveProperty('speed');
});
