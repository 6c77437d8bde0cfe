import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { toStorableText } from '../../domain/storable.ts';
import type { TurnSubmission } from './submit-turn.ts';

/** A turn that no request starts, but a schedule, a trigger or a message of an agent. Its message waits for its place. */
export interface WorkTurn {
  turnId: string;
  conversationId: string;
  /** The agent with which its conversation begins, unless it was begun. @default the conversation is there */
  begins?: { agentId: string; title: string } | undefined;
  message: string;
  /** The person for whom it acts. @default the person of its starter */
  actingFor?: string | null | undefined;
  /** Those who changed what the turn does, besides its starter. @default none */
  participants?: readonly (ActorRef | null)[];
}

/**
 * Begins the conversation of a turn, unless it is there, and returns the submission of the turn.
 * @throws HoldfastError `NOT_FOUND` when the agent of the conversation is not there or deleted
 */
export async function prepareTurn(trx: Knex, turn: WorkTurn): Promise<TurnSubmission> {
  if (turn.begins) await beginConversation(trx, turn.conversationId, turn.begins);
  return toSubmission(turn);
}

/** Returns the submission of a turn whose conversation is there. */
export function toSubmission(turn: WorkTurn): TurnSubmission {
  const { turnId, conversationId, message, actingFor, participants = [] } = turn;
  return {
    ...{ turnId, conversationId },
    participants: participants.filter((ref) => ref !== null),
    input: { message, onBusy: 'enqueue', ...(actingFor ? { actingFor } : {}) },
  };
}

async function beginConversation(
  trx: Knex,
  id: string,
  { agentId, title }: NonNullable<WorkTurn['begins']>,
): Promise<void> {
  // Locked, so that the agent cannot be deleted between this look and the insert.
  const agent = await trx('agents')
    .where({ id: agentId, deleted_at: null })
    .forShare()
    .first<object | undefined>('id');
  if (!agent) throw new HoldfastError('NOT_FOUND', `There is no agent ${agentId}.`);
  const row = { id, agent_id: agentId, title: toStorableText(title), tags: [] };
  await trx('conversations').insert(row).onConflict('id').ignore();
}
