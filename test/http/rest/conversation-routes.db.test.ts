import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConversation, plainAgent, startApi, startTurn, type Api } from '../../labs/api-lab.ts';
import { createTurnPlayer } from '../../labs/turn-player.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

test('a conversation is created with an agent and can be read', async () => {
  const { agentId } = await openConversation(api);
  const opened = await api.call('POST', '/api/conversations', { body: { agentId, title: '  Refunds ' } });
  expect(opened.status).toBe(201);
  expect(opened.data.conversation).toMatchObject({ agentId, title: 'Refunds' });
  const found = await api.call('GET', `/api/conversations/${opened.data.conversation.id}`);
  expect(found.data).toEqual(opened.data);
});

test('conversations are listed newest first, also filtered by agent', async () => {
  const first = await openConversation(api);
  const second = await openConversation(api);
  const all = await api.call('GET', '/api/conversations?limit=2');
  expect(all.data.conversations.map((one: { id: string }) => one.id)).toEqual([
    second.conversationId,
    first.conversationId,
  ]);
  const some = await api.call('GET', `/api/conversations?agentId=${first.agentId}`);
  expect(some.data).toMatchObject({ conversations: [{ id: first.conversationId }], nextCursor: null });
});

test('messages are listed oldest first across turns and pages', async () => {
  const { conversationId } = await openConversation(api);
  for (const text of ['one', 'two', 'three']) {
    const turnId = await startTurn(api, conversationId, text);
    await createTurnPlayer(api, { conversationId, turnId }).settle(`answer to ${text}`);
  }
  const path = `/api/conversations/${conversationId}/messages?limit=2`;
  const first = await api.call('GET', path);
  const second = await api.call('GET', `${path}&cursor=${first.data.nextCursor}`);
  const texts = [...first.data.messages, ...second.data.messages].map(({ text }: { text: string }) => text);
  expect(texts).toEqual(['one', 'two', 'three']);
  expect(second.data.nextCursor).toBeNull();
  expect(first.data.messages[0]).toMatchObject({ role: 'user', iteration: 0 });
});

test('a workspace sees its own conversations only', async () => {
  const { conversationId, agentId } = await openConversation(api);
  const { key } = await api.createWorkspace();
  const paths = ['', '/messages', '/turns', '/events'].map(
    (rest) => `/api/conversations/${conversationId}${rest}`,
  );
  for (const path of paths) expect((await api.call('GET', path, { key })).status).toBe(404);
  expect(
    (await api.call('GET', `/api/conversations?agentId=${agentId}`, { key })).data.conversations,
  ).toEqual([]);
  const turn = { key, body: { message: 'Hello' } };
  expect((await api.call('POST', `/api/conversations/${conversationId}/turns`, turn)).status).toBe(404);
  expect((await api.call('GET', `/api/conversations/${conversationId}/turns`)).data.turns).toEqual([]);
});

test('a turn with a deleted agent is refused', async () => {
  const { conversationId, agentId } = await openConversation(api);
  await api.call('DELETE', `/api/agents/${agentId}`);
  const body = { message: 'Hello' };
  const { status, error } = await api.call('POST', `/api/conversations/${conversationId}/turns`, { body });
  expect([status, error.code]).toEqual([409, 'CONFLICT']);
  expect((await api.call('POST', '/api/agents', { body: plainAgent })).status).toBe(201);
});
