import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelMessage } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startEventStreamServer, type Reply } from '../../servers/event-stream-server.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';

const model = 'google/gemini-3-pro';
let server: Awaited<ReturnType<typeof startEventStreamServer>>;

afterEach(() => server.close());

async function start(...replies: Reply[]) {
  server = await startEventStreamServer(...replies);
  const apiKey = `test-${crypto.randomUUID()}`;
  return {
    apiKey,
    callModel: createLanguageModelCaller({ google: { apiKey, baseUrl: server.baseUrl } }),
  };
}

const usageMetadata = {
  promptTokenCount: 40,
  cachedContentTokenCount: 15,
  candidatesTokenCount: 7,
  thoughtsTokenCount: 9,
  totalTokenCount: 56,
};

function toEvent(parts: JsonObject[], finishReason?: string): JsonObject {
  const content = { role: 'model', parts };
  return finishReason === undefined
    ? { candidates: [{ content }] }
    : { candidates: [{ content, finishReason }], usageMetadata, modelVersion: 'gemini-x' };
}

test('the Google model uses the Gemini API and reports token usage by kind', async () => {
  const { callModel, apiKey } = await start({
    events: [toEvent([{ text: 'Hel' }]), toEvent([{ text: 'lo.' }], 'STOP')],
  });
  const { call, deltas } = createModelCall({ model, tools: [weatherTool], maxOutputTokens: 100 });
  const answer = await callModel(call);
  expect(deltas.join('')).toBe('Hello.');
  expect(answer).toMatchObject({ text: 'Hello.', finishReason: 'stop', answeredBy: 'gemini-3-pro' });
  expect(answer.usage).toEqual({
    inputTokens: 25,
    cacheReadTokens: 15,
    cacheWriteTokens: 0,
    outputTokens: 16,
    reasoningTokens: 9,
  });
  expect(server.requests[0]).toMatchObject({
    url: '/v1/models/gemini-3-pro:streamGenerateContent?alt=sse',
    headers: { 'x-goog-api-key': apiKey },
    body: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { maxOutputTokens: 100 },
      tools: [{ functionDeclarations: [{ name: 'get_weather', description: 'Tells the weather.' }] }],
    },
  });
  expect(server.requests[0]?.headers['idempotency-key']).toBeUndefined();
});

test('the Google model sends thought signatures back with their calls', async () => {
  const functionCall = { name: 'get_weather', args: { city: 'Kiel' } };
  const { callModel } = await start(
    {
      events: [
        toEvent([{ text: 'Look it up.', thought: true }]),
        toEvent([{ functionCall, thoughtSignature: 'signed' }], 'STOP'),
      ],
    },
    { events: [toEvent([{ text: 'Rain.' }], 'STOP')] },
  );
  const answer = await callModel(createModelCall({ model, tools: [weatherTool] }).call);
  expect(answer).toMatchObject({
    text: '',
    reasoning: 'Look it up.',
    finishReason: 'tool_calls',
    toolCalls: [{ name: 'get_weather', arguments: { city: 'Kiel' } }],
  });
  const stored = JSON.parse(JSON.stringify({ role: 'assistant', ...answer })) as ModelMessage;
  const modelCallId = answer.toolCalls[0]?.modelCallId ?? '';
  const messages: ModelMessage[] = [
    { role: 'user', text: 'Weather?' },
    stored,
    { role: 'tool', modelCallId, name: 'get_weather', text: 'rain', isError: false },
  ];
  await callModel(createModelCall({ model, messages, tools: [weatherTool] }).call);
  const contents = server.requests[1]?.body['contents'] as JsonObject[];
  expect(contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  const parts = contents[1]?.['parts'] as JsonObject[];
  expect(parts.at(-1)).toMatchObject({ functionCall, thoughtSignature: 'signed' });
  expect(contents[2]?.['parts']).toMatchObject([{ functionResponse: { name: 'get_weather' } }]);
});

test('the Google model is shown tools that it may not call, since its cache begins with them', async () => {
  const { callModel } = await start({ events: [toEvent([{ text: 'Hello.' }], 'STOP')] });
  const { call } = createModelCall({ model, tools: [weatherTool], toolChoice: 'none' });
  await expect(callModel(call)).resolves.toMatchObject({ text: 'Hello.' });
  expect(server.requests[0]?.body).toMatchObject({
    tools: [{ functionDeclarations: [{ name: 'get_weather' }] }],
    toolConfig: { functionCallingConfig: { mode: 'NONE' } },
  });
});

test('the Google model reports a stream without a finish reason as a bad response', async () => {
  const { callModel } = await start({ events: [toEvent([{ text: 'Hel' }])] });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({
    code: 'MODEL_BAD_RESPONSE',
  });
});

test('the Google model reports an exhausted quota as rate limited', async () => {
  const error = { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED' };
  const { callModel } = await start({ status: 429, body: { error } });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({
    code: 'MODEL_RATE_LIMITED',
    retryable: true,
    message: `${model} answered with HTTP 429: Quota exceeded.`,
  });
});

test('the Google model reports a refused key as such, which the vendor answers with 400', async () => {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' };
  const error = {
    ...{ code: 400, message: 'API key not valid. Please pass a valid API key.' },
    ...{ status: 'INVALID_ARGUMENT', details: [info] },
  };
  const { callModel } = await start({ status: 400, body: { error } });
  await expect(callModel(createModelCall({ model }).call)).rejects.toMatchObject({
    code: 'MODEL_AUTHENTICATION',
    retryable: false,
  });
});

test('the Google model reports a blocked prompt as a refusal, and not as a broken answer', async () => {
  const { callModel } = await start({ events: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }] });
  await expect(callModel(createModelCall({ model }).call)).resolves.toMatchObject({
    text: '',
    finishReason: 'content_filter',
  });
});
