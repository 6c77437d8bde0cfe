import { beforeAll, expect, test } from 'vitest';
import { createSentMessageRepository } from '../../../src/modules/inbox/sent-message-repository.ts';
import type { InboxMessage } from '../../../src/domain/inbox.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { type Api, type CallOptions } from '../../labs/api-lab.ts';
import { shareApi } from '../../labs/shared-api.ts';
import { expectRefused } from '../../labs/resource-api.ts';

let api: Api;
beforeAll(async () => {
  api = await shareApi();
});

async function call(method: string, path: string, options: CallOptions = {}) {
  const answer = await api.call(method, `/api/inbox${path}`, options);
  return { ...answer, data: answer.data as unknown as { message: InboxMessage; messages: InboxMessage[] } };
}

async function deliver(person: string, text: string): Promise<string> {
  const id = newId();
  const from = { agentId: newId(), agentName: 'Agent', turnId: newId(), conversationId: newId() };
  await api.database.inWorkspace(api.workspaceId, (trx) =>
    createSentMessageRepository(trx).addToInbox({ id, person, subject: null, text, from }),
  );
  return id;
}

test('a person lists and marks the messages of agents, and sees those of nobody else', async () => {
  const first = await deliver('ann', 'First.');
  const second = await deliver('ann', 'Second.');
  const bobs = await deliver('bob', 'For Bob.');
  const key = await api.createKey(api.workspaceId, ['inbox:read', 'inbox:write'], { actsFor: 'ann' });

  expect((await call('GET', '?person=bob', { key })).data.messages.map(({ id }) => id)).toEqual([
    second,
    first,
  ]);
  const marked = await call('PATCH', `/${first}`, { key, body: { read: true } });
  expect(marked.data.message.readAt).not.toBeNull();
  expect((await call('GET', '?unread=true', { key })).data.messages.map(({ id }) => id)).toEqual([second]);
  expect((await call('PATCH', `/${first}`, { key, body: { read: false } })).data.message.readAt).toBeNull();
  expectRefused(await call('GET', `/${bobs}`, { key }), 'NOT_FOUND', 404);
  expectRefused(await call('PATCH', `/${bobs}`, { key, body: { read: true } }), 'NOT_FOUND', 404);

  expect((await call('GET', '?person=bob')).data.messages).toMatchObject([{ id: bobs, text: 'For Bob.' }]);
  expect((await call('GET', `/${bobs}`)).data.message.person).toBe('bob');
  expectRefused(await call('GET', ''), 'INVALID_INPUT', 400);
  const { key: strange } = await api.createWorkspace();
  expectRefused(await call('GET', `/${bobs}`, { key: strange }), 'NOT_FOUND', 404);
  expect((await call('GET', '?person=ann', { key: strange })).data.messages).toEqual([]);
});
