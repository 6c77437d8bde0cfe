import { claimConversation as claim } from './claim-statement.ts';
import { findMissingFiles } from '../messages/message-parts.ts';
import type { Transactions } from '../../../platform/database/transactions.ts';
import { toRowScope } from '../../../domain/row-scope.ts';
import { findSeen } from '../../../platform/database/seen-rows.ts';
import { conversationNotFound } from '../turn-rows.ts';
import type { Viewer } from '../../../domain/actor.ts';
import { toOwnerKey } from '../../../domain/person.ts';
import type { TurnInput } from '../../../domain/turn.ts';

/**
 * Refuses an actor for one person that would start a turn in a conversation, or with files, that it does not see. A conversation
 * without a person and without turns becomes that of the person.
 * @throws HoldfastError `NOT_FOUND`; `INVALID_INPUT` for files that the actor does not see
 */
export async function claimConversation(
  database: Pick<Transactions, 'pipelined' | 'transact'>,
  actor: Viewer,
  { conversationId: id, message }: { conversationId: string; message: TurnInput['message'] },
): Promise<void> {
  if (actor.reach !== 'own') return;
  await requireFiles(database, actor, message);
  if (await database.pipelined(toRowScope(actor), (query) => findSeen(query, 'conversation', id))) return;
  if (actor.conversations && !actor.conversations.includes(id)) throw conversationNotFound(id);
  const person = toOwnerKey(actor.actsFor);
  const claimed = await database.pipelined(actor.workspaceId, (query) => query(claim, { id, person }));
  if (claimed.length === 0) throw conversationNotFound(id);
}

/**
 * Refuses an actor for one person that would show files which it does not see to a model.
 * @throws HoldfastError `INVALID_INPUT`
 */
export async function requireFiles(
  database: Pick<Transactions, 'transact'>,
  actor: Viewer,
  message: TurnInput['message'] | undefined,
): Promise<void> {
  if (actor.reach !== 'own' || message === undefined) return;
  const missing = await database.transact(toRowScope(actor), (query) => findMissingFiles(query, message));
  if (missing) throw missing;
}
