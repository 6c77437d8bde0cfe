import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import { startScriptedModel, type ScriptEntry, type ScriptedModel } from '../../servers/scripted-model.ts';
import { createModelCall } from '../../fixtures/model-call.ts';

const key = `test-${crypto.randomUUID()}`;
let scripted: ScriptedModel;

beforeEach(async () => {
  scripted = await startScriptedModel();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await scripted.close();
});

async function failWith(entry: ScriptEntry): Promise<HoldfastError> {
  scripted.reply(entry);
  const callModel = createLanguageModelCaller({
    compatible: { baseUrl: scripted.baseUrl, apiKey: key },
  });
  return catchFailure(callModel(createModelCall({ model: 'compatible/m' }).call));
}

async function catchFailure(promise: Promise<unknown>): Promise<HoldfastError> {
  const error: unknown = await promise.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HoldfastError);
  return error as HoldfastError;
}

test.each([
  [400, 'MODEL_REJECTED_REQUEST', false],
  [401, 'MODEL_AUTHENTICATION', false],
  [402, 'MODEL_RATE_LIMITED', false],
  [403, 'MODEL_AUTHENTICATION', false],
  [404, 'UNKNOWN_MODEL', false],
  [408, 'MODEL_UNAVAILABLE', true],
  [413, 'MODEL_REJECTED_REQUEST', false],
  [422, 'MODEL_REJECTED_REQUEST', false],
  [429, 'MODEL_RATE_LIMITED', true],
  [500, 'MODEL_UNAVAILABLE', true],
  [503, 'MODEL_UNAVAILABLE', true],
  [529, 'MODEL_UNAVAILABLE', true],
])('HTTP %i is reported as %s', async (status, code, retryable) => {
  const error = await failWith({ status });
  expect(error).toMatchObject({ code, retryable, details: { status } });
  expect(error.message).toBe(`compatible/m answered with HTTP ${status}: Scripted answer ${status}.`);
});

test('a model call sends one request, whatever the answer', async () => {
  await failWith({ status: 503 });
  expect(scripted.requests).toHaveLength(1);
});

test.each([
  ['retry-after', '7', 7000],
  ['retry-after-ms', '250', 250],
])('the wait before a retry comes from the header %s', async (name, value, retryAfterMs) => {
  expect(await failWith({ status: 429, headers: { [name]: value } })).toMatchObject({ retryAfterMs });
});

test('no wait is reported when the provider names none', async () => {
  expect((await failWith({ status: 429 })).retryAfterMs).toBeUndefined();
});

test('a call of an account without credit is not retried', async () => {
  const body = { error: { message: 'You exceeded your current quota.', code: 'insufficient_quota' } };
  expect(await failWith({ status: 429, body })).toMatchObject({
    code: 'MODEL_RATE_LIMITED',
    retryable: false,
  });
});

test('an answer that is not JSON is quoted', async () => {
  const error = await failWith({ status: 502, body: '<h1>the proxy   is out</h1>' });
  expect(error.message).toContain('<h1>the proxy is out</h1>');
});

test('a failure never contains the key, and quotes a limited length', async () => {
  const message = `Wrong key ${key}, perhaps sk-abc***xyz1 ${'or another '.repeat(100)}`;
  const error = await failWith({ status: 401, body: { error: { message } } });
  expect(error.message).not.toContain(key);
  expect(error.message).toContain('Wrong key [redacted], perhaps [redacted] or another');
  expect(error.message).toHaveLength(500);
  expect(error.cause).toBeUndefined();
});

test.each([470, 480, 490, 499])(
  'a key at character %i of an answer is redacted before that is cut',
  async (offset) => {
    const error = await failWith({ status: 502, body: `${' '.repeat(offset)}${key} and more` });
    expect(error.message).not.toContain(key.slice(0, 6));
  },
);

test('a redirect is not followed', async () => {
  const error = await failWith({ status: 302, headers: { location: `${scripted.baseUrl}/elsewhere` } });
  expect(error).toMatchObject({ code: 'MODEL_REJECTED_REQUEST', details: { status: 302 } });
  expect(scripted.requests).toHaveLength(1);
});

test.each<[string, ScriptEntry]>([
  ['a line that is not JSON', { malformed: true }],
  ['a socket that breaks half-way', { text: 'one two three four', breakAfterChunks: 2 }],
  ['a response that ends half-way', { text: 'one two three', breakAfterChunks: 2, breakBy: 'end' }],
  ['a response that ends before it begins', { breakAfterChunks: 0, breakBy: 'end' }],
  ['a page instead of a stream', { status: 200, body: '<html></html>' }],
])('%s is reported as a bad response', async (_title, entry) => {
  const printed = vi.spyOn(console, 'error');
  expect(await failWith(entry)).toMatchObject({ code: 'MODEL_BAD_RESPONSE', retryable: true });
  expect(printed).not.toHaveBeenCalled();
});

test('an answer that ends within its tool calls is an error', async () => {
  const toolCalls = [{ name: 'get_weather', arguments: { city: 'Kiel' } }];
  const error = await failWith({ toolCalls, breakAfterChunks: 1, breakBy: 'end' });
  expect(error.code).toBe('MODEL_BAD_RESPONSE');
});

test('a server that cannot be reached is reported as unavailable', async () => {
  const gone = await startScriptedModel();
  await gone.close();
  const callModel = createLanguageModelCaller({ compatible: { baseUrl: gone.baseUrl } });
  const error = await catchFailure(callModel(createModelCall({ model: 'compatible/m' }).call));
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  expect(error.message).toBe('compatible/m could not be reached: the connection was refused');
  const { origin, host } = new URL(gone.baseUrl);
  expect(error.details).toEqual({
    internal: expect.stringMatching(`^${origin}: .*ECONNREFUSED ${host}`) as string,
  });
});

test.each([401, 404])('HTTP %i says which server has answered, without path and key', async (status) => {
  const { origin } = new URL(scripted.baseUrl);
  expect((await failWith({ status })).details).toEqual({ status, internal: origin });
});

test.each([
  ['native', 400, true],
  ['native', 500, false],
  ['asked', 400, false],
] as const)(
  'a request with a schema, %s, that is refused with %i says how to ask otherwise: %s',
  async (structuredOutput, status, says) => {
    scripted.reply({ status });
    const callModel = createLanguageModelCaller({ compatible: { baseUrl: scripted.baseUrl, apiKey: key } });
    const responseSchema = { type: 'object', properties: { total: { type: 'number' } } };
    const { call } = createModelCall({ model: 'compatible/m', responseSchema, structuredOutput });
    const { message } = await catchFailure(callModel(call));
    expect(message.includes('set modelSettings.structuredOutput of the agent to "asked"')).toBe(says);
  },
);

test.each(['openai', 'anthropic', 'google'])(
  'the error names the variable when %s has no key',
  async (provider) => {
    const callModel = createLanguageModelCaller({});
    const error = await catchFailure(callModel(createModelCall({ model: `${provider}/m` }).call));
    expect(error.code).toBe('MODEL_AUTHENTICATION');
    expect(error.message).toMatch(/set (OPENAI|ANTHROPIC|GOOGLE_GENERATIVE_AI)_API_KEY/);
  },
);

test('keys and addresses are not taken from the environment of the process', async () => {
  vi.stubEnv('OPENAI_API_KEY', 'from-the-environment');
  vi.stubEnv('OPENAI_BASE_URL', scripted.baseUrl);
  const callModel = createLanguageModelCaller({ google: { apiKey: 'x' } });
  const error = await catchFailure(callModel(createModelCall({ model: 'openai/m' }).call));
  expect(error.code).toBe('MODEL_AUTHENTICATION');
  vi.unstubAllEnvs();
});

test('an unknown model is reported before any request is sent', async () => {
  const callModel = createLanguageModelCaller({});
  const error = await catchFailure(callModel(createModelCall({ model: 'acme/m' }).call));
  expect(error).toMatchObject({ code: 'UNKNOWN_MODEL', retryable: false });
});
