import { defineStatement } from '../../../platform/database/statement.ts';

/** Gives a conversation without a person, in which no turn was started, to a person. */
export const claimConversation = defineStatement<{ id: string; person: string | null }, { id: string }>(
  'claim_conversation',
  `UPDATE conversations SET person = :person
   WHERE id = :id AND person IS NULL AND last_turn_ordinal = 0 AND deleted_at IS NULL RETURNING id`,
);
