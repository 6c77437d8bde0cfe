import { beforeAll, expect, test } from 'vitest';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

function createTool(index: number, schema: object) {
  const config = { functionName: 'calculate' };
  return { type: 'function', name: `tool${index}`, description: '', schema, config };
}

function repeat(count: number, toField: (index: number) => object): Record<string, object> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, toField(index)]));
}

/** 20 KB, which are 25,000 checks when each reference is followed. */
function createLargeSchema(index: number) {
  const part = { type: 'object', properties: repeat(100, () => ({ type: 'string', maxLength: index })) };
  return {
    type: 'object',
    properties: repeat(250, () => ({ $ref: '#/$defs/part' })),
    $defs: { part },
  };
}

test('the health check is answered while an agent with large schemas is created', async () => {
  const tools = [1, 2].map((index) => createTool(index, createLargeSchema(index)));
  let isCreated = false;
  const creating = api
    .call('POST', '/api/agents', { body: { ...plainAgent, tools } })
    .finally(() => (isCreated = true));
  let answersMeanwhile = 0;
  while (!isCreated) {
    expect((await api.call('GET', '/health/live')).status).toBe(200);
    answersMeanwhile += 1;
  }
  expect((await creating).status).toBe(201);
  // The compiler takes seconds for these schemas: one or two answers mean that it held the event loop.
  expect(answersMeanwhile).toBeGreaterThan(20);
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
