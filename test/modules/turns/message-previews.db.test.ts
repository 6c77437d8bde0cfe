import { beforeAll, expect, test } from 'vitest';
import type { ListedTurn } from '../../../src/domain/turn.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

test('the turns of a list have the beginning of their message, as far as the caller sees them', async () => {
  const { workspaceId, key } = await api.createWorkspace();
  const agent = (await api.call('POST', '/api/agents', { key, body: plainAgent })).data.agent;
  const open = async () => {
    const body = { agentId: agent.id };
    return (await api.call('POST', '/api/conversations', { key, body })).data.conversation.id;
  };
  const say = async (message: unknown, actingFor = 'Ann') => {
    const path = `/api/conversations/${await open()}/turns`;
    const said = await api.call('POST', path, { key, body: { message, actingFor } });
    expect(said.status).toBe(202);
    return said.data.turn.id;
  };
  const long = `${'👍'.repeat(99)}abc`;
  const expected = new Map([
    [await say('Hello\nthere'), 'Hello\nthere'],
    [await say('a'.repeat(200)), 'a'.repeat(200)],
    [await say(long.repeat(2)), `${'👍'.repeat(99)}a…`],
    [await say('b'.repeat(100_000)), `${'b'.repeat(199)}…`],
  ]);
  const ofBob = await say('Of Bob', 'Bob');
  const [empty] = expected.keys();
  const list = async (of: string, query = '') => {
    const { data } = await api.call('GET', `/api/turns?limit=100${query}`, { key: of });
    return new Map(
      (data.turns as unknown as ListedTurn[]).map(({ id, messagePreview }) => [id, messagePreview]),
    );
  };
  const ofAnn = await api.createKey(workspaceId, ['conversations:read'], { actsFor: 'Ann' });
  expect(await list(ofAnn)).toEqual(expected);
  expect(await list(key)).toEqual(new Map([...expected, [ofBob, 'Of Bob']]));
  expect(await list(key, '&text=of%20b')).toEqual(new Map([[ofBob, 'Of Bob']]));
  expect(await list((await api.createWorkspace()).key)).toEqual(new Map());
  await api.database.system('messages').where({ turn_id: empty }).update({ text: ' ' });
  expect((await list(ofAnn)).get(empty ?? '')).toBeNull();
});
