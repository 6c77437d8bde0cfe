import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openConversation, plainAgent, startTurn, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefusal } from '../../labs/expect-refusal.ts';

let api: Api;
let ids: { agentId: string; conversationId: string; turnId: string };
beforeAll(async () => {
  api = await shareApi();
  const { agentId, conversationId } = await openConversation(api);
  ids = { agentId, conversationId, turnId: await startTurn(api, conversationId) };
});

const tool = {
  type: 'function',
  name: 'calculate',
  description: '',
  schema: { type: 'object' },
  config: { functionName: 'calculate' },
};
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

const badAgents: [string, object, string][] = [
  ['an unknown field', { ...plainAgent, colour: 'red' }, 'colour'],
  ['no name', { ...plainAgent, name: undefined }, 'name'],
  ['an empty name', { ...plainAgent, name: '  ' }, 'name'],
  ['a name that is a number', { ...plainAgent, name: 7 }, 'name'],
  ['a name that is too long', { ...plainAgent, name: 'x'.repeat(201) }, 'name'],
  ['instructions that are too long', { ...plainAgent, instructions: 'x'.repeat(100_001) }, 'instructions'],
  ['instructions that are null', { ...plainAgent, instructions: null }, 'instructions'],
  ['a NUL character', { ...plainAgent, instructions: 'a\0b' }, 'instructions'],
  ['half of a surrogate pair', { ...plainAgent, instructions: 'a\ud800' }, 'instructions'],
  ['an unknown execution', { ...plainAgent, execution: 'quick' }, 'execution'],
  ['a limit out of bounds', { ...plainAgent, limits: { maxIterations: 0 } }, 'limits.maxIterations'],
  ['a limit that is a fraction', { ...plainAgent, limits: { maxIterations: 1.5 } }, 'limits.maxIterations'],
  ['an unknown limit', { ...plainAgent, limits: { cost: 1 } }, 'limits.cost'],
  ['tools that are no list', { ...plainAgent, tools: {} }, 'tools'],
  ['a tool of an unknown type', { ...plainAgent, tools: [{ ...tool, type: 'magic' }] }, 'tools.0.type'],
  ['a tool name with a space', { ...plainAgent, tools: [{ ...tool, name: 'a b' }] }, 'tools.0.name'],
  ['a tool name twice', { ...plainAgent, tools: [tool, tool] }, 'tools.1.name'],
  ['an unknown field of a tool', { ...plainAgent, tools: [{ ...tool, id: 'x' }] }, 'tools.0.id'],
  [
    'an unknown field of a config',
    { ...plainAgent, tools: [{ ...tool, config: { command: 'sh' } }] },
    'tools.0.config.command',
  ],
  ['a schema that is no object', { ...plainAgent, tools: [{ ...tool, schema: [] }] }, 'tools.0.schema'],
  [
    'a schema that is no JSON Schema',
    { ...plainAgent, tools: [{ ...tool, schema: { type: 'objekt' } }] },
    'tools.0.schema',
  ],
  [
    'a NUL character in a schema',
    { ...plainAgent, tools: [{ ...tool, schema: { type: 'object', 'a\0': 1 } }] },
    'tools.0.schema',
  ],
  [
    'a schema that is nested too deep',
    { ...plainAgent, tools: [{ ...tool, schema: nested(200) }] },
    'tools.0.schema',
  ],
  [
    'a function that does not exist',
    { ...plainAgent, tools: [{ ...tool, config: { functionName: 'rm' } }] },
    'tools.0.config.functionName',
  ],
  [
    'an MCP tool without a server',
    { ...plainAgent, tools: [{ ...tool, type: 'mcp', config: {} }] },
    'tools.0.config.server',
  ],
  [
    'a workflow tool without a workflow',
    { ...plainAgent, tools: [{ ...tool, type: 'workflow', config: {} }] },
    'tools.0.config.workflowId',
  ],
  [
    'an agent tool without an agent',
    { ...plainAgent, tools: [{ ...tool, type: 'agent', config: {} }] },
    'tools.0.config.agentId',
  ],
  [
    'a timeout that is too short',
    { ...plainAgent, tools: [{ ...tool, settings: { timeoutMs: 1 } }] },
    'tools.0.settings.timeoutMs',
  ],
];

describe('an agent', () => {
  test.each(badAgents)('with %s is refused', async (_title, body, field) => {
    const details = [
      { field: expect.stringMatching(new RegExp(`^${field.replaceAll('.', '\\.')}`)) as string },
    ];
    await expectRefusal(api, () => api.call('POST', '/api/agents', { body }), { details });
  });

  test.each(badAgents)('is not changed by an update with %s', async (_title, body, field) => {
    const change = body as { name?: unknown };
    if (field === 'name' && change.name === undefined) return;
    await expectRefusal(api, () => api.call('PATCH', `/api/agents/${ids.agentId}`, { body }));
  });

  test('is not changed by an empty update', async () => {
    await expectRefusal(api, () => api.call('PATCH', `/api/agents/${ids.agentId}`, { body: {} }));
  });

  test.each(['gpt', 'openai/', 'nobody/x', 'compatible/x', 'constructor', 'openai/../x'])(
    'with the model %s, which does not exist, is refused',
    async (model) => {
      const refused = { code: 'UNKNOWN_MODEL' as const, details: [{ field: 'model' }] };
      await expectRefusal(
        api,
        () => api.call('POST', '/api/agents', { body: { ...plainAgent, model } }),
        refused,
      );
    },
  );

  test('with several invalid fields is refused with all of them', async () => {
    const body = { name: 1, model: true, colour: 'red' };
    const { error } = await api.call('POST', '/api/agents', { body });
    const fields = (error.details as { field: string }[]).map(({ field }) => field);
    expect(fields.sort()).toEqual(['colour', 'instructions', 'model', 'name']);
  });
});

describe('an unknown field', () => {
  test('is refused with its path and the nearest field', async () => {
    const wrong = { ...tool, approval: 'ask', settings: { efect: 'keyed' } };
    const details = [
      { field: 'tools.0.settings.efect', message: 'unknown field: did you mean "effect"?' },
      { field: 'tools.0.approval', message: 'unknown field: did you mean "settings.approval"?' },
    ];
    const create = () => api.call('POST', '/api/agents', { body: { ...plainAgent, tools: [wrong] } });
    await expectRefusal(api, create, { details });
    const update = () => api.call('PATCH', `/api/agents/${ids.agentId}`, { body: { tools: [wrong] } });
    await expectRefusal(api, update, { details });
  });

  test('is refused where an endpoint takes no query or no body', async () => {
    await expectRefusal(api, () => api.call('GET', `/api/agents/${ids.agentId}?version=1`), {
      details: [{ field: 'version' }],
    });
    const cancel = { body: { reason: 'x' } };
    await expectRefusal(api, () => api.call('POST', `/api/turns/${ids.turnId}/cancel`, cancel), {
      details: [{ field: 'reason' }],
    });
  });
});

describe('a turn', () => {
  const turns = () => `/api/conversations/${ids.conversationId}/turns`;
  test.each([
    ['no message', {}, 'message'],
    ['an empty message', { message: '' }, 'message'],
    ['a message that is too long', { message: 'x'.repeat(200_001) }, 'message'],
    ['a message with a NUL character', { message: '\0' }, 'message'],
    ['a message with half of a surrogate pair', { message: '\udc00' }, 'message'],
    ['a part that is a text', { message: ['a'] }, 'message.0'],
    ['a part of an unknown type', { message: [{ type: 'smell' }] }, 'message.0.type'],
    ['a part without a file', { message: [{ type: 'image' }] }, 'message.0.fileId'],
    ['no parts', { message: [] }, 'message'],
    ['an unknown value of onBusy', { message: 'a', onBusy: 'panic' }, 'onBusy'],
    ['haste that does not steer', { message: 'a', onBusy: 'enqueue', now: true }, 'now'],
    ['an unknown field', { message: 'a', stream: true }, 'stream'],
  ])('with %s is refused', async (_title, body, field) => {
    await expectRefusal(api, () => api.call('POST', turns(), { body }), { details: [{ field }] });
  });

  test.each(['', ' ', 'a b', 'x'.repeat(256), 'ä'])(
    'with the Idempotency-Key "%s" is refused',
    async (key) => {
      const headers = { 'idempotency-key': key };
      const run = () => api.call('POST', turns(), { headers, body: { message: 'a' } });
      await expectRefusal(api, run, { details: [{ field: 'idempotency-key' }] });
    },
  );

  test.each(['wait=yes', 'wait=', 'wait=true&wait=true', 'now=true'])(
    'with ?%s is refused',
    async (query) => {
      await expectRefusal(api, () => api.call('POST', `${turns()}?${query}`, { body: { message: 'a' } }));
    },
  );
});

describe('a conversation', () => {
  test.each([
    ['no agent', {}, 'agentId'],
    ['a malformed agent', { agentId: 'x' }, 'agentId'],
    ['a title that is too long', { agentId: newId(), title: 'x'.repeat(201) }, 'title'],
    ['an unknown field', { agentId: newId(), workspaceId: newId() }, 'workspaceId'],
  ])('with %s is refused', async (_title, body, field) => {
    await expectRefusal(api, () => api.call('POST', '/api/conversations', { body }), {
      details: [{ field }],
    });
  });

  test('with an agent that does not exist is refused', async () => {
    const refused = { status: 404, code: 'NOT_FOUND' as const, details: [{ field: 'agentId' }] };
    await expectRefusal(
      api,
      () => api.call('POST', '/api/conversations', { body: { agentId: newId() } }),
      refused,
    );
  });
});

describe('an API key', () => {
  test.each([
    ['no name', {}, 'name'],
    ['an unknown scope', { name: 'a', scopes: ['root'] }, 'scopes.0'],
    ['no scope at all', { name: 'a', scopes: [] }, 'scopes'],
    ['a day that does not exist', { name: 'a', expiresAt: '2030-02-30T00:00:00Z' }, 'expiresAt'],
    ['a secret of its own', { name: 'a', secret: 'x' }, 'secret'],
  ])('with %s is refused', async (_title, body, field) => {
    await expectRefusal(api, () => api.call('POST', '/api/api-keys', { body }), { details: [{ field }] });
  });
});
