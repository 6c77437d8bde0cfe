import { afterAll, beforeAll, expect, test } from 'vitest';
import { plainAgent, startApi, type Api } from '../../labs/api-lab.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

function createTool(index: number, schema: object) {
  const config = { functionName: 'calculate' };
  return { type: 'function', name: `tool${index}`, description: '', schema, config };
}

/** About 50 KB. */
function createLargeSchema(index: number) {
  const properties: Record<string, object> = {};
  for (let field = 0; field < 600; field += 1) {
    properties[`field${index}x${field}`] = { type: 'string', description: 'x'.repeat(40) };
  }
  return { type: 'object', properties };
}

test('the health check is answered while an agent with large schemas is created', async () => {
  const tools = Array.from({ length: 14 }, (_, index) => createTool(index, createLargeSchema(index)));
  let isCreated = false;
  const creating = api
    .call('POST', '/api/agents', { body: { ...plainAgent, tools } })
    .finally(() => (isCreated = true));
  let answers = 0;
  while (!isCreated) {
    expect((await api.call('GET', '/health/live')).status).toBe(200);
    answers += 1;
  }
  expect((await creating).status).toBe(201);
  expect(answers).toBeGreaterThan(20);
});

test('a schema with a number that is too large for JSON is refused', async () => {
  const tool = createTool(0, { type: 'object', properties: { count: { maximum: 'huge' } } });
  const body = JSON.stringify({ ...plainAgent, tools: [tool] }).replace('"huge"', '1e400');
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
  const response = await fetch(`${api.url}/api/agents`, { method: 'POST', headers, body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { details: [{ field: 'tools.0.schema.properties.count.maximum' }] },
  });
});
