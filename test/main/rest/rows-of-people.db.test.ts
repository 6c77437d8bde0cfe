import { beforeAll, describe, expect, test } from 'vitest';
import { scopes, type Scope } from '../../../src/domain/scope.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { plainAgent, type Api } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { insertPendingAction } from '../../labs/turn-rows.ts';

let api: Api;
let keys: Record<'bob' | 'ann' | 'anybody', string>;
let ids: Record<'agent' | 'conversation' | 'turn' | 'action', string>;

beforeAll(async () => {
  api = await shareApi();
  const create = (actsFor: string) => api.createKey(api.workspaceId, [...scopes], { actsFor });
  keys = { bob: await create('Bob'), ann: await create('Ann'), anybody: api.key };
  ids = await fill();
});

const as = (who: keyof typeof keys) => (method: string, path: string, body?: unknown) =>
  api.call(method, path, { key: keys[who], ...(body === undefined ? {} : { body }) });

/** A conversation of Bob with a tool call that waits. */
async function fill(): Promise<typeof ids> {
  const agent = (await as('anybody')('POST', '/api/agents', plainAgent)).data.agent.id;
  const { conversation } = (await as('bob')('POST', '/api/conversations', { agentId: agent })).data;
  const path = `/api/conversations/${conversation.id}/turns`;
  const turn = (await as('bob')('POST', path, { message: 'A secret of Bob.' })).data.turn;
  const toolCall = { id: newId(), key: newId(), conversation_id: conversation.id, turn_id: turn.id };
  const action = await api.database.inWorkspace(api.workspaceId, async (trx) => {
    await trx('tool_calls').insert({ ...toolCallRow, ...toolCall });
    return insertPendingAction(trx);
  });
  return { agent, conversation: conversation.id, turn: turn.id, action };
}

const toolCallRow = {
  ...{ turn_ordinal: 1, iteration: 1, index: 0, model_call_id: 'call', name: 'search', effect: 'safe' },
  ...{ arguments_hash: 'x', status: 'requested', arguments: '{}' },
};

describe('a key for another person', () => {
  test('who decides sees the call that waits, and nothing around it', async () => {
    const { data } = await as('ann')('GET', '/api/pending-actions');
    expect(data.actions.map(({ id }) => id)).toEqual([ids.action]);
    const only: Scope[] = ['conversations:read', 'conversations:write'];
    const reader = await api.createKey(api.workspaceId, only, { actsFor: 'Ann' });
    const shown = await api.call('GET', '/api/pending-actions', { key: reader });
    expect(shown.data.actions).toEqual([]);
    for (const path of [`/api/pending-actions/${ids.action}`, `/api/turns/${ids.turn}`])
      expect((await api.call('GET', path, { key: reader })).status).toBe(404);
  });
});

describe('what belongs to a person', () => {
  test.each(['bob', 'anybody'] as const)('is found by its person in any spelling (%s)', async (who) => {
    const { data } = await as(who)('GET', '/api/conversations?person=BOB');
    const shown = { id: ids.conversation, person: 'bob', sharedWith: [] };
    expect(data.conversations.slice(-1)).toMatchObject([shown]);
  });

  test('is shared by this person only, is then read by those it is shared with, and deleted by them never', async () => {
    const path = `/api/conversations/${ids.conversation}`;
    for (const sharedWith of [['ann'], 'workspace'] as const) {
      const { data } = await as('bob')('PATCH', path, { sharedWith });
      expect(data.conversation).toMatchObject({ sharedWith, person: 'bob' });
      const { messages } = (await as('ann')('GET', `${path}/messages`)).data;
      expect(messages[0]).toMatchObject({ text: 'A secret of Bob.' });
      const { conversations } = (await as('ann')('GET', '/api/conversations')).data;
      expect(conversations.map(({ id }) => id)).toContain(ids.conversation);
      expect((await as('ann')('GET', `/api/turns/${ids.turn}`)).status).toBe(200);
      for (const [method, body] of [['DELETE'], ['PATCH', { sharedWith: ['Carl'] }]] as const)
        expect((await as('ann')(method, path, body)).status).toBe(403);
      const answer = await as('ann')('POST', `${path}/turns`, { message: 'And mine?', onBusy: 'enqueue' });
      expect(answer.data.turn).toMatchObject({ status: 'queued', startedBy: { actingFor: 'Ann' } });
    }
    await as('bob')('PATCH', path, { sharedWith: [] });
    expect((await as('ann')('GET', path)).status).toBe(404);
  });

  test('is a conversation of nobody in which the person said the first word', async () => {
    const open = async () =>
      (await as('anybody')('POST', '/api/conversations', { agentId: ids.agent })).data.conversation;
    const { id } = await open();
    const path = `/api/conversations/${id}`;
    expect((await as('ann')('GET', path)).status).toBe(404);
    const senders = (['ann', 'bob'] as const).map(async (who) => {
      return [who, (await as(who)('POST', `${path}/turns`, { message: 'Hello.' })).status];
    });
    const sent = await Promise.all(senders);
    const [[owner]] = sent.filter(([, status]) => status === 202) as [[string]];
    expect(sent.map(([, status]) => status).sort()).toEqual([202, 404]);
    expect((await as('anybody')('GET', path)).data.conversation.person).toBe(owner);

    const named = await open();
    await as('anybody')('POST', `/api/conversations/${named.id}/turns`, {
      message: 'Hello.',
      actingFor: 'Carl',
    });
    await as('anybody')('POST', `/api/conversations/${named.id}/turns`, {
      ...{ message: 'Hello.', actingFor: 'Ann', onBusy: 'enqueue' },
    });
    expect((await as('anybody')('GET', `/api/conversations/${named.id}`)).data.conversation.person).toBe(
      'carl',
    );
  });

  test('pages through own and shared conversations in one order', async () => {
    const dora = await api.createKey(api.workspaceId, [...scopes], { actsFor: 'Dora' });
    const made: string[] = [];
    for (const [person, sharedWith] of [
      ['Dora', []],
      ['Carl', ['DORA']],
      ['Carl', []],
      ['Dora', ['Carl', 'Dora']],
      ['Carl', 'workspace'],
    ] as const) {
      const body = { agentId: ids.agent, person, sharedWith };
      const { conversation } = (await as('anybody')('POST', '/api/conversations', body)).data;
      if (person === 'Dora' || sharedWith.length > 0) made.unshift(conversation.id);
    }
    const found: string[] = [];
    for (let cursor = ''; ;) {
      const { data } = await api.call('GET', `/api/conversations?limit=2${cursor}`, { key: dora });
      found.push(...data.conversations.map(({ id }) => id));
      if (data.nextCursor === null) break;
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(found).toEqual(made);
  });
});
