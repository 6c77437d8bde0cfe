import { beforeAll, expect, test } from 'vitest';
import { plainAgent, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;

beforeAll(async () => {
  api = await shareApi();
});

async function createConnection(provider: string, key?: string): Promise<string> {
  const body = {
    name: `${provider} ${crypto.randomUUID()}`,
    provider,
    endpoint: 'https://models.example/v1',
    auth: { type: 'bearer', token: crypto.randomUUID() },
  };
  const { data } = await api.call('POST', '/api/connections', {
    body,
    ...(key === undefined ? {} : { key }),
  });
  return data.connection.id;
}

function createAgent(model: string, modelConnectionId: string | null) {
  return api.call('POST', '/api/agents', { body: { ...plainAgent, model, modelConnectionId } });
}

test('an agent may use the key of a connection, also when the operator configured no server', async () => {
  const id = await createConnection('compatible');
  expect((await createAgent('compatible/llama', null)).error.code).toBe('UNKNOWN_MODEL');
  const { status, data } = await createAgent('compatible/llama', id);
  expect(status).toBe(201);
  expect(data.agent.modelConnectionId).toBe(id);
});

test('the connection of a model must be one of the same workspace', async () => {
  const stranger = await api.createWorkspace();
  for (const id of [crypto.randomUUID(), await createConnection('openai', stranger.key)]) {
    expect(await createAgent('openai/gpt-5', id)).toMatchObject({
      status: 403,
      error: { code: 'CONNECTION_ACCESS_DENIED', message: `Connection ${id} not found or access denied` },
    });
  }
});

test('the connection of a model must be to the vendor of the model', async () => {
  const id = await createConnection('anthropic');
  expect((await createAgent('openai/gpt-5', id)).error).toMatchObject({
    code: 'INVALID_INPUT',
    details: [
      { field: 'modelConnectionId', message: 'Connection provider mismatch: expected openai, got anthropic' },
    ],
  });
});

test('an update of the model is checked against the stored connection, and other updates are not', async () => {
  const id = await createConnection('openai');
  const { data } = await createAgent('openai/gpt-5', id);
  const path = `/api/agents/${data.agent.id}`;
  const refused = await api.call('PATCH', path, { body: { model: 'anthropic/claude' } });
  expect(refused.error.code).toBe('INVALID_INPUT');
  expect((await api.call('GET', path)).data.agent).toMatchObject({ model: 'openai/gpt-5', version: 1 });
  await api.call('PATCH', `/api/connections/${id}`, { body: { status: 'revoked' } });
  expect((await api.call('PATCH', path, { body: { name: 'Renamed' } })).status).toBe(200);
  expect(await api.call('PATCH', path, { body: { model: 'openai/gpt-6' } })).toMatchObject({
    status: 400,
    error: { code: 'CONNECTION_NOT_ACTIVE' },
  });
});
