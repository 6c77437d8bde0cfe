import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { createConversationRepository } from './conversation-repository.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { requireOwn } from '../../workspaces/require-seen.ts';
import type { TurnDependencies } from '../turn-dependencies.ts';

interface DeletionDependencies extends Pick<TurnDependencies, 'notifier'> {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
}

/**
 * Deletes a conversation: it is not found any more, its open streams end, and the workers remove its rows in batches.
 * @throws HoldfastError `NOT_FOUND`, `FORBIDDEN` for that of another person, or `TURN_RUNNING` while a turn runs or waits in it
 */
export async function deleteConversation(
  { database, notifier }: DeletionDependencies,
  actor: Viewer,
  conversationId: string,
): Promise<void> {
  await requireOwn(database, actor, { kind: 'conversation', id: conversationId });
  await database.inWorkspace(actor.workspaceId, async (trx) => {
    const { agentId } = await createConversationRepository(trx).deleteConversation(conversationId);
    await createAuditLog(trx).record({
      type: 'conversation.deleted',
      subjectId: conversationId,
      payload: { agent_id: agentId },
    });
  });
  notifier.events(conversationId);
}
