import { beforeAll, expect, test } from 'vitest';
import { createAgentRepository } from '../../../../src/modules/agents/agent-repository.ts';
import { createConversationRepository } from '../../../../src/modules/turns/conversations/conversation-repository.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces, plainAgent } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
let agentId: string;
beforeAll(async () => {
  agentId = (await workspaces.inOwn((trx) => createAgentRepository(trx).createAgent(plainAgent))).id;
});
const missing = { code: 'NOT_FOUND' };

function open(title?: string) {
  return workspaces.inOwn((trx) => createConversationRepository(trx).createConversation({ agentId, title }));
}

test('a new conversation has no events', async () => {
  const { id } = await open();
  const found = await workspaces.inOwn((trx) => createConversationRepository(trx).getConversation(id));
  expect(found).toMatchObject({ id, agentId, title: null, lastEventSeq: 0 });
});

test('a conversation cannot be opened with an agent of another workspace or with a deleted agent', async () => {
  const foreign = workspaces.inForeign((trx) =>
    createConversationRepository(trx).createConversation({ agentId }),
  );
  await expect(foreign).rejects.toMatchObject(missing);
  const other = await workspaces.inOwn((trx) => createAgentRepository(trx).createAgent(plainAgent));
  await workspaces.inOwn((trx) => createAgentRepository(trx).deleteAgent(other.id));
  const late = workspaces.inOwn((trx) =>
    createConversationRepository(trx).createConversation({ agentId: other.id }),
  );
  await expect(late).rejects.toMatchObject(missing);
});

test('a conversation is visible in its own workspace only', async () => {
  const { id } = await open('mine');
  const found = workspaces.inForeign((trx) => createConversationRepository(trx).getConversation(id));
  await expect(found).rejects.toMatchObject(missing);
  const list = await workspaces.inForeign((trx) =>
    createConversationRepository(trx).listConversations({ limit: 10 }),
  );
  expect(list).toEqual({ items: [], nextCursor: null });
});
