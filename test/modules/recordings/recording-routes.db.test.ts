import { beforeAll, expect, test } from 'vitest';
import { recordingSchema } from '../../../src/domain/recording.ts';
import { exportRecordings } from '../../../src/modules/recordings/export-recordings.ts';
import { type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { createShop, exportLines, holdConversation, shopAgent } from '../../labs/recording-scene.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

test('a line of the export has all that the model calls of a turn saw', async () => {
  const agentId = await createShop(api);
  const turns = [{ message: 'What is 6 * 7?' }, { message: 'And 2 * 3?', result: '6' }];
  const id = await holdConversation(api, { agentId, turns, tags: ['vip'], title: 'Sums' });
  const lines = await exportLines(api, `?conversationId=${id}`);

  expect(lines.map((line) => recordingSchema.parse(line))).toEqual(lines);
  expect(lines).toMatchObject([
    {
      schemaVersion: 1,
      conversation: { id, title: 'Sums', tags: ['vip'] },
      agent: { id: agentId, name: 'Shop', version: 1, model: 'demo', instructions: shopAgent.instructions },
      tools: [{ name: 'calculate', type: 'function', effect: 'read_only', schema: { type: 'object' } }],
      turn: {
        ordinal: 1,
        outcome: 'completed',
        answer: 'It is 42.',
        iterations: 2,
        hidden: false,
        closing: null,
      },
      message: { text: 'What is 6 * 7?' },
      steps: [
        {
          iteration: 1,
          text: 'Let me see.',
          toolChoice: 'auto',
          leftOut: [],
          sampling: null,
          finishReason: 'tool_calls',
          toolCalls: [
            { name: 'calculate', arguments: { expression: '6 * 7' }, status: 'succeeded', result: '42' },
          ],
        },
        { iteration: 2, text: 'It is 42.', finishReason: 'stop', toolCalls: [] },
      ],
    },
    { turn: { ordinal: 2, answer: 'It is 6.' }, message: { text: 'And 2 * 3?' } },
  ]);
});

test('a recording never has a canary token', async () => {
  const [token = ''] = shopAgent.rules.canaryTokens;
  const agentId = await createShop(api);
  const turns = [{ message: `Is ${token} a word?`, arguments: { [token]: token }, result: token }];
  const id = await holdConversation(api, { agentId, turns });
  const [line] = await exportLines(api, `?conversationId=${id}`);
  expect(JSON.stringify(line)).not.toContain(token);
  expect(line?.agent.rules).toEqual({ ...shopAgent.rules, canaryTokens: undefined, onBlocked: 'continue' });
  expect(line?.message.text).toBe('Is [canary] a word?');
});

test('filters choose whole conversations', async () => {
  const agentId = await createShop(api);
  const turns = [{ message: 'one' }, { message: 'two' }];
  const first = await holdConversation(api, { agentId, turns, tags: ['a'] });
  const second = await holdConversation(api, { agentId, turns: [{ message: 'three' }], tags: ['a', 'b'] });
  const [turn] = await exportLines(api, `?conversationId=${second}`);
  const createdAt = encodeURIComponent(turn?.turn.createdAt ?? '');
  const list = async (query: string) => {
    const lines = await exportLines(api, `?agentId=${agentId}&${query}`);
    return lines.map(({ conversation }) => conversation.id);
  };

  expect(await list('')).toEqual([first, first, second]);
  expect(await list('tag=b')).toEqual([second]);
  expect(await list(`to=${createdAt}`)).toEqual([first, first]);
  expect(await list(`from=${createdAt}`)).toEqual([second]);
  expect(await list('tool=calculate&outcome=completed')).toHaveLength(3);
  expect(await list('tool=current_time')).toEqual([]);
  expect(await list('outcome=failed')).toEqual([]);
  expect(await list(`conversationId=${first}&conversationId=${second}`)).toHaveLength(3);
});

test('a sample has so many conversations, and the same ones for the same seed', async () => {
  const agentId = await createShop(api);
  const ids: string[] = [];
  for (let index = 0; index < 12; index += 1)
    ids.push(await holdConversation(api, { agentId, turns: [{ message: `Number ${index}` }] }));
  const take = async (query: string) =>
    (await exportLines(api, `?agentId=${agentId}&${query}`)).map(({ conversation }) => conversation.id);
  const some = await take('sample=5&seed=first');
  expect(some).toHaveLength(5);
  expect(await take('sample=5&seed=first')).toEqual(some);
  const seeds = ['second', 'third', 'fourth'];
  const others = await Promise.all(seeds.map((seed) => take(`sample=5&seed=${seed}`)));
  expect(others.some((other) => other.join() !== some.join())).toBe(true);
  expect((await take('sample=100')).sort()).toEqual(ids.sort());
});

test('an export needs the scope conversations:read, and has no conversations of other workspaces', async () => {
  const agentId = await createShop(api);
  await holdConversation(api, { agentId, turns: [{ message: 'Hello' }] });
  const { key } = await api.createWorkspace();
  expect(await exportLines(api, '', key)).toEqual([]);
  const without = await api.createKey(api.workspaceId, ['agents:read']);
  expect((await api.call('GET', '/api/recordings', { key: without })).error.code).toBe('FORBIDDEN');
  for (const query of ['sample=0', 'seed=a', 'from=yesterday', 'outcome=steered', 'conversationId=1'])
    expect((await api.call('GET', `/api/recordings?${query}`)).error.code).toBe('INVALID_INPUT');
});

test('an export for a key that may not read agents has none of their configuration', async () => {
  const agentId = await createShop(api);
  await holdConversation(api, { agentId, turns: [{ message: 'Hello' }] });
  const key = await api.createKey(api.workspaceId, ['conversations:read']);
  const [line] = await exportLines(api, `?agentId=${agentId}`, key);
  expect(line?.agent).toMatchObject({ name: 'Shop', instructions: '', rules: {} });
  expect(line?.tools).toMatchObject([{ name: 'calculate', description: '', schema: { type: 'object' } }]);
  expect(line?.tools[0]?.schema).not.toHaveProperty('properties');
});

test('an export reads one turn at a time, when the next one is asked for', async () => {
  const agentId = await createShop(api);
  await holdConversation(api, { agentId, turns: Array.from({ length: 30 }, () => ({ message: 'Hello' })) });
  let reads = 0;
  const pipelined: Api['database']['pipelined'] = (...given) => {
    reads += 1;
    return api.database.pipelined(...given);
  };
  const database = { ...api.database, pipelined };
  const recordings = exportRecordings(
    { database },
    { workspaceId: api.workspaceId, scopes: [] },
    { agentId },
  );
  expect(reads).toBe(0);
  await recordings.next();
  const first = reads;
  await recordings.next();
  expect(reads).toBe(first + 1);
  await recordings.return(undefined);
  expect(reads).toBe(first + 1);
});
