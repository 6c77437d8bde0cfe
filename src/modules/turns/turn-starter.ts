import type { Knex } from 'knex';
import type { ActorRef } from '../../domain/actor.ts';
import { askedBy } from '../credits/turn-origin.ts';

/** The origin of a turn: the person and the turn at the top of all turns above it. */
export interface TurnStarter {
  /** The turn at the top of the turns that tool calls have started. */
  rootTurnId: string;
  /** The conversation of the turn that was asked about. */
  conversationId: string;
  /** The person for whom it was started; null when none is known. */
  person: string | null;
  /** The starter of the topmost turn; null when it is not known. */
  startedBy: ActorRef | null;
  /** The name of its agent. */
  agentName: string;
}

/** Finds who has started a turn. Null for a turn that is gone. */
export async function findTurnStarter(trx: Knex, turnId: string): Promise<TurnStarter | null> {
  const { rows } = await trx.raw<{ rows: TurnStarter[] }>(
    `WITH RECURSIVE up AS (
       SELECT id, parent_turn_id, ${askedBy('turns')} AS person FROM turns WHERE id = :turnId
       UNION ALL
       SELECT t.id, t.parent_turn_id, coalesce(up.person, ${askedBy('t')})
       FROM turns t JOIN up ON t.id = up.parent_turn_id
     )
     SELECT up.id AS "rootTurnId", up.person, turn.conversation_id AS "conversationId", root.started_by AS "startedBy",
       v.name AS "agentName"
     FROM up JOIN turns root ON root.id = up.id, turns turn JOIN agent_versions v ON v.id = turn.agent_version_id
     WHERE turn.id = :turnId AND up.parent_turn_id IS NULL`,
    { turnId },
  );
  return rows[0] ?? null;
}
