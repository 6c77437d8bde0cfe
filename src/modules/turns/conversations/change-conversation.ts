import { createAuditLog } from '../../../platform/outbox/audit-log.ts';
import type { Database } from '../../../platform/database/connect-database.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { createConversationRepository } from './conversation-repository.ts';
import { toActorRef, type KeyActor } from '../../../domain/actor.ts';
import type { Conversation, ConversationChange } from '../../../domain/conversation.ts';
import { requireOwn } from '../../workspaces/require-seen.ts';

/**
 * Changes what a conversation is called and who sees it besides its person.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for a key that shares the conversation of another person
 */
export async function changeConversation(
  { database }: { database: Pick<Database, 'inWorkspace' | 'pipelined'> },
  actor: KeyActor,
  { id, change }: { id: string; change: ConversationChange },
): Promise<Conversation> {
  const { sharedWith } = change;
  if (sharedWith !== undefined) await requireOwn(database, actor, { kind: 'conversation', id });
  return database.inWorkspace(toRowScope(actor), async (trx) => {
    const conversation = await createConversationRepository(trx).changeConversation(id, change);
    if (sharedWith !== undefined)
      await createAuditLog(trx).record({
        ...{ type: 'conversation.shared', subjectId: id },
        payload: { shared_with: conversation.sharedWith },
        by: toActorRef(actor, undefined),
      });
    return conversation;
  });
}
