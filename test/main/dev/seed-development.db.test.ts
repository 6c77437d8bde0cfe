import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completeTools } from '../../../src/modules/agents/tools/complete-tools.ts';
import { createToolCheck } from '../../../src/engines/tools/check-tool.ts';
import { isSecretOf, parseApiKeyText } from '../../../src/modules/workspaces/keys/api-key-text.ts';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import { createDemoAgent } from '../../../src/main/dev/demo-agent.ts';
import { createApiKeyRepository } from '../../../src/modules/workspaces/keys/api-key-repository.ts';
import { chooseDemoModel, seedDevelopment } from '../../../src/main/dev/seed-development.ts';
import { agentInputSchema } from '../../../src/modules/agents/agent-schema.ts';
import { scopes } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../labs/postgres.ts';
import { createFunctionRegistry } from '../../../src/engines/tools/functions/function-registry.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function seed(existingKey: string | null = null, model = 'demo') {
  return seedDevelopment({ databaseUrl: testDatabase.url, existingKey, model });
}

async function findModel(agentId: string): Promise<unknown> {
  const rows = await database
    .system('agent_versions')
    .where({ agent_id: agentId })
    .orderBy('version', 'desc')
    .select<{ model: string }[]>('model');
  return rows[0]?.model;
}

test('concurrent starts create one workspace, agent and conversation', async () => {
  const seeds = await Promise.all([seed(), seed(), seed()]);
  expect(new Set(seeds.map(({ agentId }) => agentId)).size).toBe(1);
  expect(new Set(seeds.map(({ conversationId }) => conversationId)).size).toBe(1);
  expect(await database.system('workspaces').select('name')).toEqual([{ name: 'default' }]);
});

test('a valid key is kept, and it may do everything', async () => {
  const first = await seed();
  const second = await seed(first.apiKey);
  expect(second).toEqual(first);
  const { id = '', secret = '' } = parseApiKeyText(first.apiKey) ?? {};
  const stored = await createApiKeyRepository(database.system).findApiKey(id);
  expect(stored?.scopes).toEqual(scopes);
  expect(stored && isSecretOf(secret, stored.secretHash)).toBe(true);
});

test('an older key gets the scopes that were added since', async () => {
  const { apiKey } = await seed();
  const { id = '' } = parseApiKeyText(apiKey) ?? {};
  const keys = createApiKeyRepository(database.system);
  await keys.grantScopes(id, ['agents:read']);
  await seed(apiKey);
  expect((await keys.findApiKey(id))?.scopes).toEqual(scopes);
});

test.each(['', 'nonsense', `holdfast_${randomUUID()}_${'A'.repeat(43)}`])(
  'the invalid key "%s" is replaced',
  async (key) => {
    const { apiKey } = await seed(key);
    expect(parseApiKeyText(apiKey)).not.toBeNull();
    expect(apiKey).not.toBe(key);
  },
);

test('a revoked key is replaced', async () => {
  const { apiKey } = await seed();
  await createApiKeyRepository(database.system).revokeApiKey(parseApiKeyText(apiKey)?.id ?? '');
  expect((await seed(apiKey)).apiKey).not.toBe(apiKey);
});

test('the model follows the configured keys unless a person chose another', async () => {
  const { agentId } = await seed(null, 'openai/gpt-5-mini');
  expect(await findModel(agentId)).toBe('openai/gpt-5-mini');
  await seed(null, 'demo');
  expect(await findModel(agentId)).toBe('demo');
  await database.system('agent_versions').where({ agent_id: agentId }).update({ model: 'openai/chosen' });
  await seed(null, 'demo');
  expect(await findModel(agentId)).toBe('openai/chosen');
});

test('the best model with a configured key is chosen', () => {
  const key = { apiKey: 'x' };
  expect(chooseDemoModel({})).toBe('demo');
  expect(chooseDemoModel({ google: key })).toBe('google/gemini-2.5-flash');
  expect(chooseDemoModel({ google: key, anthropic: key })).toBe('anthropic/claude-haiku-4-5');
  expect(chooseDemoModel({ openai: key, anthropic: key })).toBe('openai/gpt-5-mini');
});

test('the API accepts the definition of the demo agent', async () => {
  const functions = createFunctionRegistry();
  const tools = completeTools({ functions }, agentInputSchema.parse(createDemoAgent('demo')));
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  const checkTool = createToolCheck({ functions });
  const errors = await Promise.all(tools.map((tool) => checkTool(tool, 'workspace')));
  expect(errors.flat()).toEqual([]);
});
