import { createAgentRepository } from '../../src/modules/agents/agent-repository.ts';
import { createConversationRepository } from '../../src/modules/turns/conversations/conversation-repository.ts';
import type { NewEvent } from '../../src/domain/event.ts';
import { storeNewTurn } from '../../src/modules/turns/store-turn.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { plainAgent, type TwoWorkspaces } from './two-workspaces.ts';

/** A conversation with one running turn, whose event log the test writes. */
export async function playTurn({ inOwn, database, ownId }: TwoWorkspaces) {
  const turnId = newId();
  const conversationId = await inOwn(async (trx) => {
    const agent = await createAgentRepository(trx).createAgent(plainAgent);
    const input = { agentId: agent.id };
    return (await createConversationRepository(trx).createConversation(input)).id;
  });
  const input = { message: 'Hello', onBusy: 'reject' as const };
  await storeNewTurn(database, ownId, { turnId, requestHash: 'hash', conversationId, input });
  return {
    conversationId,
    turnId,
    append: (...events: NewEvent[]) =>
      inOwn(async (trx) => {
        await trx.raw('SELECT append_events(?, ?, ?::jsonb, 0)', [
          conversationId,
          turnId,
          JSON.stringify(events),
        ]);
      }),
  };
}
