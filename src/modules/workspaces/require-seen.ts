import { toRowScope } from '../../domain/row-scope.ts';
import { findSeen, type SeenKind } from '../../platform/database/seen-rows.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import type { Viewer } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toOwnerKey } from '../../domain/person.ts';

interface Thing {
  kind: SeenKind;
  id: string;
}

/**
 * Refuses an actor that does not see the record on which it would act. Later statements may then read more than the actor
 * sees, such as the turns that run in the workspace. Asks the database for actors that see the rows of one person only.
 * @throws HoldfastError `NOT_FOUND`, as for an id that is not there
 */
export async function requireSeen(
  database: Pick<Transactions, 'pipelined'>,
  actor: Viewer,
  thing: Thing,
): Promise<void> {
  if (actor.reach === 'own') await find(database, actor, thing);
}

/**
 * Refuses an actor for one person that does not see a thing, or sees it since another person has shared it, or since its
 * conversations are among those that name it.
 * @throws HoldfastError `NOT_FOUND`; `FORBIDDEN` for what belongs to another person or to other conversations too
 */
export async function requireOwn(
  database: Pick<Transactions, 'pipelined'>,
  actor: Viewer,
  thing: Thing,
): Promise<void> {
  if (actor.reach !== 'own') return;
  const { owner } = await find(database, actor, thing);
  if (owner === toOwnerKey(actor.actsFor)) return;
  const others = actor.conversations ? 'other conversations too' : 'another person';
  throw new HoldfastError('FORBIDDEN', `The ${thing.kind} ${thing.id} belongs to ${others}.`);
}

/**
 * Refuses stored work that would write in a conversation which its maker does not see.
 * @throws HoldfastError `NOT_FOUND`
 */
export async function requireTarget(
  database: Pick<Transactions, 'pipelined'>,
  actor: Viewer,
  action: { conversationId?: string | undefined } | object,
): Promise<void> {
  const id = 'conversationId' in action ? action.conversationId : undefined;
  if (id !== undefined) await requireSeen(database, actor, { kind: 'conversation', id });
}

async function find({ pipelined }: Pick<Transactions, 'pipelined'>, actor: Viewer, { kind, id }: Thing) {
  const row = await pipelined(toRowScope(actor), (query) => findSeen(query, kind, id));
  if (!row) throw new HoldfastError('NOT_FOUND', `There is no ${kind} ${id}.`);
  return row;
}
