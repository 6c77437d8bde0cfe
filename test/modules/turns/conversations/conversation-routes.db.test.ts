import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openConversation, plainAgent, startTurn, type Api } from '../../../labs/api-lab.ts';
import { shareApi } from '../../../labs/shared-api.ts';
import { openStream } from '../../../labs/sse-reader.ts';
import { createTurnPlayer } from '../../../labs/turn-player.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

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

test('conversations have tags, which can be changed and chosen by', async () => {
  const { agentId } = await openConversation(api);
  const body = { agentId, title: 'Refund', tags: ['vip', 'refund', 'vip'] };
  const { conversation } = (await api.call('POST', '/api/conversations', { body })).data;
  expect(conversation).toMatchObject({ tags: ['vip', 'refund'], source: null });
  const path = `/api/conversations/${conversation.id}`;
  const listed = await api.call('GET', `/api/conversations?tag=vip`);
  expect(listed.data.conversations.map(({ id }) => id)).toEqual([conversation.id]);

  const changed = await api.call('PATCH', path, { body: { tags: ['done'] } });
  expect(changed.data.conversation).toMatchObject({ title: 'Refund', tags: ['done'] });
  const untitled = await api.call('PATCH', path, { body: { title: null } });
  expect(untitled.data.conversation).toMatchObject({ title: null, tags: ['done'] });
  expect((await api.call('GET', '/api/conversations?tag=vip')).data.conversations).toEqual([]);
  expect((await api.call('PATCH', path, { body: {} })).data).toEqual(untitled.data);
});

test('a conversation has at most 20 tags of 64 characters', async () => {
  const { conversationId } = await openConversation(api);
  const path = `/api/conversations/${conversationId}`;
  const most = Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(64, 'x'));
  expect((await api.call('PATCH', path, { body: { tags: most } })).status).toBe(200);
  for (const tags of [[...most, 'more'], ['x'.repeat(65)], [''], 'vip']) {
    expect((await api.call('PATCH', path, { body: { tags } })).error).toMatchObject({
      code: 'INVALID_INPUT',
    });
  }
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

test('a deleted conversation is not found by any request, and its deletion is in the audit log', async () => {
  const { conversationId, agentId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  const path = `/api/conversations/${conversationId}`;
  const file = {
    id: newId(),
    turn_id: turnId,
    media_type: 'image/png',
    size: 1,
    bytes: Buffer.from('x'),
    sha256: 'x',
  };
  await api.database.inWorkspace(api.workspaceId, (trx) => trx('files').insert(file));
  const refused = await api.call('DELETE', path);
  expect(refused).toMatchObject({ status: 409, error: { code: 'TURN_RUNNING', details: { turnId } } });
  await createTurnPlayer(api, { conversationId, turnId }).settle('Done.');
  const deleted = await api.call('DELETE', path);
  expect(deleted).toMatchObject({ status: 200, data: { deleted: true } });

  const ofTurn = [`/api/turns/${turnId}`, `/api/turns/${turnId}/events`, `/api/blobs/${file.id}`];
  const gone = [path, `${path}/messages`, `${path}/turns`, `${path}/events`, ...ofTurn];
  for (const one of gone) expect((await api.call('GET', one)).status).toBe(404);
  expect((await api.call('POST', `${path}/turns`, { body: { message: 'Hello' } })).status).toBe(404);
  expect((await api.call('DELETE', path)).status).toBe(404);
  const listed = await api.call('GET', `/api/conversations?agentId=${agentId}`);
  expect(listed.data.conversations).toEqual([]);
  const audited = await api.call('GET', `/api/audit-events?subjectId=${conversationId}`);
  expect(audited.data).toMatchObject({ auditEvents: [{ type: 'conversation.deleted' }] });
});

test('the open streams of a conversation end when it is deleted', async () => {
  const { conversationId } = await openConversation(api);
  const turnId = await startTurn(api, conversationId);
  await createTurnPlayer(api, { conversationId, turnId }).settle('Done.');
  const path = `/api/conversations/${conversationId}`;
  const stream = await openStream(api, `${path}/events`);
  const read = async () => (await stream.next()).value?.event;
  expect([await read(), await read()]).toEqual(['turn.started', 'turn.settled']);
  await api.call('DELETE', path);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});
