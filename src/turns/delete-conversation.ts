import { createAuditLog } from '../db/audit/audit-log.ts';
import type { Database } from '../db/connect-database.ts';
import { createConversationRepository } from '../db/turns/conversation-repository.ts';
import type { TurnDependencies, TurnPrincipal } from './turn-dependencies.ts';

interface DeletionDependencies extends Pick<TurnDependencies, 'notifier'> {
  database: Pick<Database, 'inWorkspace'>;
}

/**
 * Deletes a conversation: it is not found any more, its open streams end, and the workers remove its rows in batches.
 * @throws HoldfastError `NOT_FOUND`, or `TURN_RUNNING` while a turn runs or waits in it
 */
export async function deleteConversation(
  { database, notifier }: DeletionDependencies,
  { workspaceId }: TurnPrincipal,
  conversationId: string,
): Promise<void> {
  await database.inWorkspace(workspaceId, async (trx) => {
    const { agentId } = await createConversationRepository(trx).deleteConversation(conversationId);
    await createAuditLog(trx).record({
      type: 'conversation.deleted',
      subjectId: conversationId,
      payload: { agent_id: agentId },
    });
  });
  notifier.events(conversationId);
}
