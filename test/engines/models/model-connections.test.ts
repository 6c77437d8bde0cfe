import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConnectionAccess } from '../../../src/domain/connection.ts';
import { HoldfastError } from '../../../src/domain/errors.ts';
import { createGuardedFetch, type GuardedFetch } from '../../../src/platform/egress/guarded-fetch.ts';
import { createLanguageModelCaller } from '../../../src/engines/models/create-language-model-caller.ts';
import type { ModelsConfig } from '../../../src/engines/models/models-config.ts';
import { startScriptedModel, type ScriptedModel } from '../../servers/scripted-model.ts';
import { createModelCall } from '../../fixtures/model-call.ts';

const connection = { workspaceId: 'workspace-1', connectionId: 'connection-1' };
let scripted: ScriptedModel;
let fetch: GuardedFetch;
let requests: unknown[];

beforeEach(async () => {
  scripted = await startScriptedModel();
  fetch = createGuardedFetch({ allowLoopback: true, maxBodyBytes: Infinity });
  requests = [];
});

afterEach(async () => {
  await fetch.close();
  await scripted.close();
});

type Opened = Awaited<ReturnType<ConnectionAccess['openForModel']>>;

function createCaller(opened: () => Partial<Opened>, config: ModelsConfig = {}, request = fetch) {
  const open: ConnectionAccess['openForModel'] = (request) => {
    requests.push(request);
    return Promise.resolve({ apiKey: 'key', baseUrl: scripted.baseUrl, ...opened() });
  };
  const callModel = createLanguageModelCaller(config, { open, fetch: request });
  return (model = 'compatible/x') => callModel(createModelCall({ model, connection }).call);
}

function keysSent() {
  return scripted.requests.map(({ headers }) => headers.authorization);
}

describe('a model with a connection', () => {
  test('is called with the key and at the address of the connection', async () => {
    scripted.reply({ text: 'Hi.' });
    const apiKey = `key-${crypto.randomUUID()}`;
    const operator = { compatible: { apiKey: 'of the operator', baseUrl: 'http://127.0.0.1:1/v1' } };
    const answer = await createCaller(() => ({ apiKey }), operator)();
    expect(answer.text).toBe('Hi.');
    expect(keysSent()).toEqual([`Bearer ${apiKey}`]);
    expect(requests).toEqual([{ ...connection, provider: 'compatible' }]);
  });

  test('is called with the new key after the key has changed', async () => {
    scripted.reply({ text: 'a' }, { text: 'b' }, { text: 'c' });
    const keys = ['one', 'two', 'one'];
    const call = createCaller(() => ({ apiKey: keys.shift() ?? '' }));
    for (let round = 0; round < 3; round += 1) await call();
    expect(keysSent()).toEqual(['Bearer one', 'Bearer two', 'Bearer one']);
  });

  test('is called at the operator’s address when the connection names none', async () => {
    scripted.reply({ text: 'Hi.' });
    await createCaller(() => ({ baseUrl: null }), { compatible: { baseUrl: scripted.baseUrl } })();
    expect(keysSent()).toEqual(['Bearer key']);
  });

  test('fails when neither the connection nor the operator names an address', async () => {
    const call = createCaller(() => ({ baseUrl: null }));
    await expect(call()).rejects.toMatchObject({ code: 'UNKNOWN_MODEL' });
    await expect(call()).rejects.toThrow('names no endpoint');
  });

  test('requires a connection to the vendor in its name', async () => {
    const sentence = 'Connection provider mismatch: expected openai, got anthropic';
    const call = createCaller(() => {
      throw new HoldfastError('CONNECTION_PROVIDER_MISMATCH', sentence);
    });
    await expect(call('openai/gpt-5')).rejects.toMatchObject({
      code: 'CONNECTION_PROVIDER_MISMATCH',
      message: sentence,
    });
    expect(requests).toEqual([{ ...connection, provider: 'openai' }]);
  });

  test('cannot reach addresses that are forbidden to tenants', async () => {
    const strict = createGuardedFetch();
    const call = createCaller(() => ({}), {}, strict);
    await expect(call()).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    expect(scripted.requests).toEqual([]);
    await strict.close();
  });

  test('is aborted when its fetch times out', async () => {
    const capped = createGuardedFetch({ allowLoopback: true, maxBodyBytes: 2_000 });
    scripted.reply({ text: 'word '.repeat(5_000) });
    const failure = await createCaller(() => ({}), {}, capped)().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'MODEL_BAD_RESPONSE', retryable: false });
    expect((failure as Error).message).toContain('longer than 2000 bytes');
    await capped.close();
  });

  test('redacts its key in every failure', async () => {
    const apiKey = `plain${crypto.randomUUID()}`;
    scripted.reply({ status: 401, body: { error: { message: `Wrong key ${apiKey}.` } } });
    const failure = await createCaller(() => ({ apiKey }))().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'MODEL_AUTHENTICATION' });
    expect((failure as Error).message).toContain('[redacted]');
    expect((failure as Error).message).not.toContain(apiKey);
  });

  test('fails with a clear error when the program has no connections', async () => {
    const callModel = createLanguageModelCaller({});
    const { call } = createModelCall({ model: 'openai/x', connection });
    await expect(callModel(call)).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
  });
});
