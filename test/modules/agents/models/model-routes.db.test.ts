import { describe, expect, test } from 'vitest';
import type { ListedModel } from '../../../../src/domain/model-offer.ts';
import { plainAgent, startApi } from '../../../labs/api-lab.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { startHttpServer } from '../../../servers/http-server.ts';

const api = openForTests(async () => {
  const asked: (string | undefined)[] = [];
  const server = await startHttpServer(({ url, headers }, response) => {
    asked.push(`${url} ${headers.authorization}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'qwen3' }, { id: 'llama-4' }] }));
  });
  const key = `test-${crypto.randomUUID()}`;
  const started = await startApi(
    {},
    {
      HOLDFAST_COMPATIBLE_BASE_URL: `${server.url}/v1`,
      HOLDFAST_COMPATIBLE_API_KEY: key,
      ANTHROPIC_API_KEY: key,
    },
  );
  return {
    ...started,
    asked,
    key,
    close: async () => {
      await started.stop();
      await server.close();
    },
  };
});

async function list(query = ''): Promise<ListedModel[]> {
  const { data } = await api.call('GET', `/api/models${query}`);
  return (data as unknown as { models: ListedModel[] }).models;
}

const find = (models: ListedModel[], name: string) => models.find((model) => model.name === name);

function createAgent(body: object) {
  return api.call('POST', '/api/agents', { body: { ...plainAgent, ...body } });
}

describe('the list of models', () => {
  test('has abilities, prices, and what is missing', async () => {
    const models = await list();
    expect(find(models, 'anthropic/claude-haiku-4-5')).toEqual({
      name: 'anthropic/claude-haiku-4-5',
      ...{ vendor: 'anthropic', kind: 'language', configured: true, warning: null },
      capabilities: {
        ...{ inputTokens: 200_000, outputTokens: 64_000, takes: ['image', 'document'] },
        ...{ structuredOutput: true, efforts: ['low', 'medium', 'high'], sampling: true },
      },
      price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
      ...{ agents: 0, states: [] },
    });
    expect(find(models, 'openai/gpt-5')).toMatchObject({
      configured: false,
      warning: expect.stringContaining('OPENAI_API_KEY') as string,
    });
    expect(find(models, 'openai/gpt-image-1')).toMatchObject({ kind: 'image', capabilities: null });
    expect(find(models, 'openai/text-embedding-3-small')).toMatchObject({ kind: 'embedding' });
    expect(models.map(({ name }) => name)).toEqual(models.map(({ name }) => name).toSorted());
  });

  test('has the models of the server of models named compatible/…, which is asked once', async () => {
    await list();
    const asked = [...api.asked];
    const models = await list('?configured=true&kind=language');
    expect(find(models, 'compatible/qwen3')).toMatchObject({ vendor: 'compatible', price: null });
    expect(models.every(({ configured, kind }) => configured && kind === 'language')).toBe(true);
    expect(asked.at(-1)).toBe(`/v1/models Bearer ${api.key}`);
    expect(api.asked).toEqual(asked);
  });

  test('has the models that agents name, with how many do', async () => {
    const named = ['google/gemini-9', 'compatible/qwen3'];
    await createAgent({ model: named, compaction: 'summarize', summaryModel: 'compatible/qwen3' });
    const models = await list();
    expect(find(models, 'google/gemini-9')).toMatchObject({ agents: 1, configured: false });
    expect(find(models, 'compatible/qwen3')).toMatchObject({ agents: 1, configured: true });
  });

  test('has the keys with which a model fails, but not those of other workspaces', async () => {
    const { database } = api;
    const row = { model: 'compatible/llama-4', failures: 7, openings: 1, error_code: 'MODEL_RATE_LIMITED' };
    const raw = (sql: string) => database.system.raw(sql);
    await database.system('model_states').insert([
      {
        ...{ ...row, holder: `operator/${api.workspaceId}`, failed_at: raw('now()') },
        open_until: raw("now() + interval '1 hour'"),
      },
      { ...row, holder: `operator/${crypto.randomUUID()}`, open_until: null, failed_at: raw('now()') },
      { ...row, holder: crypto.randomUUID(), open_until: null, failed_at: raw('now()') },
    ]);
    const model = find(await list(), 'compatible/llama-4');
    expect(model?.states).toEqual([
      {
        ...{ connectionId: null, circuit: 'open', failures: 7, errorCode: 'MODEL_RATE_LIMITED' },
        ...{ openUntil: expect.any(String) as string, failedAt: expect.any(String) as string },
      },
    ]);
  });
});

describe('the models of an agent', () => {
  test('may be a list, whose further ones answer for the first', async () => {
    const created = await createAgent({ model: ['compatible/qwen3', 'anthropic/claude-haiku-4-5'] });
    expect(created.data.agent).toMatchObject({
      model: 'compatible/qwen3',
      fallbackModels: [{ model: 'anthropic/claude-haiku-4-5', modelConnectionId: null }],
    });
    const { id } = created.data.agent;
    const changed = await api.call('PATCH', `/api/agents/${id}`, {
      body: { model: ['demo', 'compatible/qwen3'] },
    });
    expect(changed.data.agent).toMatchObject({
      model: 'demo',
      fallbackModels: [{ model: 'compatible/qwen3' }],
    });
  });

  test.each([
    [{ model: ['demo', 'nobody/x'] }, 'UNKNOWN_MODEL', 'fallbackModels.0.model'],
    [{ model: ['demo', 'demo'], fallbackModels: [{ model: 'demo' }] }, 'INVALID_INPUT', 'fallbackModels'],
    [
      { model: 'openai/gpt-5', modelSettings: { temperature: 1 } },
      'INVALID_INPUT',
      'modelSettings.temperature',
    ],
    [
      { model: 'demo', modelSettings: { toolChoice: { tool: 'none' } } },
      'INVALID_INPUT',
      'modelSettings.toolChoice.tool',
    ],
  ])('are refused: %o', async (body, code, field) => {
    const { error } = await createAgent(body);
    expect(error).toMatchObject({ code, details: [{ field }] });
  });

  test('that have no key, or do not take a setting, are told of when the agent is read', async () => {
    const body = { model: ['compatible/qwen3', 'openai/gpt-5'], modelSettings: { temperature: 1 } };
    const { id, warnings } = (await createAgent(body)).data.agent;
    expect(warnings).toEqual([
      { field: 'fallbackModels.0.model', message: expect.stringContaining('OPENAI_API_KEY') as string },
      {
        field: 'fallbackModels.0.model',
        message: 'openai/gpt-5 is called without modelSettings.temperature, which it does not take.',
      },
    ]);
    expect((await api.call('GET', `/api/agents/${id}`)).data.agent.warnings).toEqual(warnings);
  });
});
