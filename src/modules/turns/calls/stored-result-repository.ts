import type { StoredResult } from '../../../domain/stored-result.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** Reads stored ends of tool calls for the models that asked for them. */
export function createStoredResultRepository(query: Query) {
  return {
    /**
     * Finds the end of a call in the conversation of a turn, up to that turn; null for a call of another conversation, and of
     * a turn that was rolled back. In a fork the id may be that of the call that was copied.
     */
    findOfConversation: async (turnId: string, callId: string): Promise<StoredResult | null> => {
      if (!isUuid(callId)) return null;
      const [row] = await query(findOfConversation, { turnId, callId });
      return row ?? null;
    },
  };
}

export type StoredResultRepository = ReturnType<typeof createStoredResultRepository>;

const findOfConversation = defineStatement<{ turnId: string; callId: string }, StoredResult>(
  'find_stored_result',
  `SELECT c.name, c.status, c.result AS text, c.result_truncated AS "isCut", c.error
   FROM turns t JOIN conversations v ON v.id = t.conversation_id
   JOIN tool_calls c ON c.conversation_id = t.conversation_id AND c.turn_ordinal <= t.ordinal
     AND c.turn_ordinal <> ALL (v.hidden_ordinals)
   WHERE t.id = :turnId AND (c.id = :callId OR c.recorded_call_id = :callId)
   ORDER BY c.id = :callId DESC, c.turn_ordinal DESC, c.iteration DESC, c.index LIMIT 1`,
);
