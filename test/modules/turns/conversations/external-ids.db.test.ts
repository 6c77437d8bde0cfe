import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, plainAgent, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

describe('a conversation with an id of the caller’s', () => {
  const open = (body: object, key = api.key) => api.call('POST', '/api/conversations', { key, body });

  test('is created once, however many ask for it at once, and stays as it is', async () => {
    const { agentId } = await openConversation(api);
    const externalId = ' order-4711 ';
    const all = await Promise.all(
      Array.from({ length: 20 }, () => open({ agentId, externalId, title: 'First' })),
    );
    expect(new Set(all.map(({ data }) => data.conversation.id)).size).toBe(1);
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array<number>(19).fill(200), 201]);
    const later = await open({ agentId, externalId: 'order-4711', title: 'Second', tags: ['late'] });
    expect(later.status).toBe(200);
    expect(later.data.conversation).toMatchObject({ externalId: 'order-4711', title: 'First', tags: [] });
    const listed = await api.call('GET', '/api/conversations?externalId=order-4711');
    expect(listed.data.conversations).toEqual([later.data.conversation]);
  });

  test('is another one for another agent, person and workspace', async () => {
    const [first, second] = await Promise.all([openConversation(api), openConversation(api)]);
    const other = await api.createWorkspace();
    const elsewhere = await api.call('POST', '/api/agents', { key: other.key, body: plainAgent });
    const externalId = newId();
    const all = await Promise.all([
      open({ agentId: first.agentId, externalId }),
      open({ agentId: second.agentId, externalId }),
      open({ agentId: first.agentId, externalId, person: 'Ann' }),
      open({ agentId: first.agentId, externalId, person: 'Bob' }),
      open({ agentId: elsewhere.data.agent.id, externalId }, other.key),
    ]);
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const again = await open({ agentId: first.agentId, externalId, person: ' ANN' });
    expect([again.status, again.data.conversation.id]).toEqual([200, all[2].data.conversation.id]);
  });

  test('is that of its person alone for a key that acts for one', async () => {
    const { agentId } = await openConversation(api);
    const [ann, bob] = await Promise.all(
      ['Ann', 'Bob'].map((actsFor) =>
        api.createKey(api.workspaceId, ['conversations:write', 'conversations:read'], { actsFor }),
      ),
    );
    const externalId = newId();
    const byBackend = await open({ agentId, externalId, person: 'Ann' });
    expect((await open({ agentId, externalId }, ann)).data).toEqual(byBackend.data);
    const ofBob = await open({ agentId, externalId }, bob);
    expect([ofBob.status, ofBob.data.conversation.person]).toEqual([201, 'bob']);
    const named = await open({ agentId, externalId, person: 'Ann' }, bob);
    expect(named.data.conversation.id).not.toBe(byBackend.data.conversation.id);
  });

  test('is found when its first turn gave it to a person, and not when it was deleted', async () => {
    const { agentId } = await openConversation(api);
    const externalId = newId();
    const { conversation } = (await open({ agentId, externalId })).data;
    const body = { message: 'Hello', actingFor: 'Ann' };
    const { turn } = (await api.call('POST', `/api/conversations/${conversation.id}/turns`, { body })).data;
    const found = await open({ agentId, externalId });
    expect([found.status, found.data.conversation]).toEqual([200, { ...conversation, person: 'ann' }]);
    await api.database
      .system('turns')
      .where({ id: turn.id })
      .update({ status: 'completed', settled_at: new Date() });
    await api.call('DELETE', `/api/conversations/${conversation.id}`);
    const made = await open({ agentId, externalId });
    expect(made.status).toBe(201);
    expect(made.data.conversation.id).not.toBe(conversation.id);
  });

  test('gives its id to no fork', async () => {
    const { agentId } = await openConversation(api);
    const { conversation } = (await open({ agentId, externalId: newId() })).data;
    const turnId = await startTurn(api, conversation.id);
    await api.database
      .system('turns')
      .where({ id: turnId })
      .update({ status: 'completed', answer: 'Hello.', settled_at: new Date() });
    const forked = await api.call('POST', `/api/conversations/${conversation.id}/fork`, {
      body: { turnId, message: 'Hello again' },
    });
    expect(forked.status).toBeLessThan(300);
    const listed = await api.call('GET', `/api/conversations?parentId=${conversation.id}`);
    expect(listed.data.conversations).toMatchObject([{ externalId: null }]);
  });
});
