import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { ModelCall } from '../../../src/domain/model.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startEventStreamServer } from '../../servers/event-stream-server.ts';
import { toVendorEvents, type VendorName } from '../../servers/vendor-answers.ts';
import { createModelCall, weatherTool } from '../../fixtures/model-call.ts';

const plain = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} satisfies JsonObject;
const schema: JsonObject = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain };
const loose: JsonObject = { type: 'object', properties: { city: { type: 'string' } } };
const open: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };
const request = `Hello\n\nYour final answer has to be one JSON object that satisfies this JSON Schema, and nothing else: no explanation, and no code fence.\n`;

const said = '{"city":"Kiel"}';
let server: Awaited<ReturnType<typeof startEventStreamServer>>;

afterEach(() => server.close());

/** Calls a model with a schema, and returns the body of its request. */
async function ask(model: string, more: Partial<ModelCall> = {}): Promise<JsonObject> {
  const vendor = model.slice(0, model.indexOf('/')) as VendorName;
  server = await startEventStreamServer({ events: toVendorEvents(vendor, { text: said }) });
  const callModel = createLanguageModelCaller({ [vendor]: { apiKey: 'key', baseUrl: server.baseUrl } });
  const { call, deltas } = createModelCall({ model, responseSchema: schema, ...more });
  const answer = await callModel(call);
  expect(answer).toMatchObject({ text: said, toolCalls: [] });
  expect(deltas.join('')).toBe(said);
  return server.requests[0]?.body ?? {};
}

const tools = [weatherTool];

describe('OpenAI', () => {
  test('holds the answer to a schema in strict mode, beside tools', async () => {
    const body = await ask('openai/gpt-5', { tools });
    expect(body['text']).toEqual({
      format: { type: 'json_schema', strict: true, name: 'response', schema: plain },
    });
    expect(body['input']).toMatchObject([{}, { content: [{ text: 'Hello' }] }]);
  });

  test('gets a schema that strict mode refuses as a hint', async () => {
    const body = await ask('openai/gpt-5', { responseSchema: loose });
    expect(body['text']).toMatchObject({ format: { strict: false, schema: loose } });
  });

  test('is asked when its model is not known, unless the agent says that it takes schemas', async () => {
    const asked = await ask('openai/gpt-99');
    expect(asked).not.toHaveProperty('text');
    expect(asked['input']).toMatchObject([{}, { content: [{ text: request + JSON.stringify(schema) }] }]);
    await server.close();
    expect(await ask('openai/gpt-99', { structuredOutput: 'native' })).toHaveProperty('text');
  });
});

describe('Anthropic', () => {
  test('holds the answer to a schema by its output format, beside tools', async () => {
    const body = await ask('anthropic/claude-sonnet-4-5', { tools });
    expect(body['output_config']).toEqual({ format: { type: 'json_schema', schema: plain } });
    expect(body['tools']).toHaveLength(1);
    expect(body['messages']).toMatchObject([{ content: [{ text: 'Hello' }] }]);
  });

  test('is asked for an answer with fields that the schema does not name', async () => {
    const body = await ask('anthropic/claude-sonnet-4-5', { tools, responseSchema: open });
    expect(body).not.toHaveProperty('output_config');
    expect(body['tools']).toHaveLength(1);
    expect(body['messages']).toMatchObject([{ content: [{ text: request + JSON.stringify(open) }] }]);
  });

  test('is asked when the agent says so', async () => {
    const body = await ask('anthropic/claude-sonnet-4-5', { structuredOutput: 'asked' });
    expect(body).not.toHaveProperty('output_config');
  });
});

describe('Google', () => {
  const config = { responseMimeType: 'application/json', responseJsonSchema: plain };

  test('holds the answers of Gemini 3 to a schema, beside tools', async () => {
    const body = await ask('google/gemini-3.5-flash', { tools });
    expect(body['generationConfig']).toMatchObject(config);
    expect(body['tools']).toMatchObject([{ functionDeclarations: [{ name: 'get_weather' }] }]);
  });

  test('holds the answers of Gemini 2 to a schema only when they have no tools', async () => {
    const beside = await ask('google/gemini-2.5-flash', { tools });
    expect(beside['generationConfig'] ?? {}).not.toHaveProperty('responseJsonSchema');
    expect(beside['tools']).toMatchObject([{ functionDeclarations: [{ name: 'get_weather' }] }]);
    expect(beside['contents']).toMatchObject([{ parts: [{ text: request + JSON.stringify(schema) }] }]);
    await server.close();
    const without = await ask('google/gemini-2.5-flash');
    expect(without['generationConfig']).toMatchObject(config);
  });

  test('is asked while it has to call a tool', async () => {
    const body = await ask('google/gemini-3.5-flash', { tools, toolChoice: 'required' });
    expect(body['generationConfig'] ?? {}).not.toHaveProperty('responseJsonSchema');
    expect(body['tools']).toMatchObject([{ functionDeclarations: [{ name: 'get_weather' }] }]);
  });
});

describe('a compatible server', () => {
  test('is asked, behind the newest message of the user', async () => {
    const messages: ModelCall['messages'] = [
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: '', toolCalls: [{ modelCallId: 'c', name: 'get_weather', arguments: {} }] },
      { role: 'tool', modelCallId: 'c', name: 'get_weather', text: 'rain', isError: false },
    ];
    const body = await ask('compatible/llama', { tools, messages });
    expect(body).not.toHaveProperty('response_format');
    expect(body['messages']).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: request + JSON.stringify(schema) },
      { role: 'assistant' },
      { role: 'tool' },
    ]);
  });

  test('gets the schema when the agent says that it takes schemas', async () => {
    const body = await ask('compatible/llama', { structuredOutput: 'native' });
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', strict: true, schema: plain },
    });
  });
});

test('an option of the agent goes before the one that a schema would set', async () => {
  const body = await ask('openai/gpt-5', { providerOptions: { openai: { strictJsonSchema: false } } });
  expect(body['text']).toMatchObject({ format: { strict: false } });
});
