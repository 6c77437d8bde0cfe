import type { Knex } from 'knex';
import { HoldfastError } from '../../../domain/errors.ts';

/** A conversation under an id that its maker has chosen. */
interface NamedConversation {
  id: string;
  agentId: string;
  title: string;
}

/**
 * Begins a conversation, unless it was begun.
 * @throws HoldfastError `NOT_FOUND` when the agent is not there or deleted
 */
export async function beginConversation(trx: Knex, { id, agentId, title }: NamedConversation): Promise<void> {
  // Locked, so that the agent cannot be deleted between this look and the insert.
  const agent = await trx('agents')
    .where({ id: agentId, deleted_at: null })
    .forShare()
    .first<object | undefined>('id');
  if (!agent) throw new HoldfastError('NOT_FOUND', `There is no agent ${agentId}.`);
  await trx('conversations').insert({ id, agent_id: agentId, title, tags: [] }).onConflict('id').ignore();
}
