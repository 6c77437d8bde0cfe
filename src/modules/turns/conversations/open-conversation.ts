import type { Database } from '../../../platform/database/connect-database.ts';
import { createConversationRepository } from './conversation-repository.ts';
import type { KeyActor } from '../../../domain/actor.ts';
import type { Conversation, ConversationInput } from '../../../domain/conversation.ts';
import { toRowScope } from '../../../domain/row-scope.ts';

/**
 * Creates a conversation, or finds the one that was created with its `externalId`, which stays as it is. A conversation of an
 * actor for one person belongs to that person.
 * @throws HoldfastError `NOT_FOUND` when there is no such agent
 */
export function openConversation(
  { database }: { database: Pick<Database, 'inWorkspace'> },
  actor: KeyActor,
  input: ConversationInput,
): Promise<{ created: boolean; conversation: Conversation }> {
  const named = { ...input, person: actor.actsFor ?? input.person };
  return database.inWorkspace(toRowScope(actor), (trx) =>
    createConversationRepository(trx).openConversation(named),
  );
}
