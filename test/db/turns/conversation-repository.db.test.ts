import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentRepository } from '../../../src/db/agents/agent-repository.ts';
import { createConversationRepository } from '../../../src/db/turns/conversation-repository.ts';
import { openTwoWorkspaces, plainAgent, type TwoWorkspaces } from '../../labs/two-workspaces.ts';

let workspaces: TwoWorkspaces;
let agentId: string;
beforeAll(async () => {
  workspaces = await openTwoWorkspaces();
  agentId = (await workspaces.inOwn((trx) => createAgentRepository(trx).createAgent(plainAgent))).id;
});
afterAll(() => workspaces.close());

const missing = { code: 'NOT_FOUND' };

function open(title?: string) {
  return workspaces.inOwn((trx) => createConversationRepository(trx).createConversation({ agentId, title }));
}

test('a conversation begins without events', async () => {
  const { id } = await open();
  const found = await workspaces.inOwn((trx) => createConversationRepository(trx).getConversation(id));
  expect(found).toMatchObject({ id, agentId, title: null, lastEventSeq: 0 });
});

test('a conversation can not be opened with an agent of another workspace, or with one that was deleted', async () => {
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

test('a conversation is seen in its own workspace only', async () => {
  const { id } = await open('mine');
  const found = workspaces.inForeign((trx) => createConversationRepository(trx).getConversation(id));
  await expect(found).rejects.toMatchObject(missing);
  const list = await workspaces.inForeign((trx) =>
    createConversationRepository(trx).listConversations({ limit: 10 }),
  );
  expect(list).toEqual({ items: [], nextCursor: null });
});
