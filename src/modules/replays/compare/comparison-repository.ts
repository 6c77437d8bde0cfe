import type { RecordedAnswer, Turn } from '../../../domain/turn.ts';
import type { ContextToolCall } from '../../../domain/model-context.ts';
import { toTurn, type TurnRow } from '../../turns/turn-rows.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** A conversation, or one of those that it was forked from, nearest first. */
export interface Ancestor {
  id: string;
  parentId: string | null;
  /** The ordinal of the forked turn in the parent, and of the first turn that is no copy; null for no fork. */
  parentOrdinal: number | null;
  forkOrdinal: number | null;
  isDeleted: boolean;
}

/** A stored turn with its own messages and calls. */
export interface ComparedTurn {
  turn: Turn;
  model: string;
  message: string;
  answers: { iteration: number; text: string; toolCalls: ComparedCall[] | null }[];
}

interface ComparedCall extends ContextToolCall {
  answeredBy: RecordedAnswer | null;
  recordedCallId: string | null;
}

/** The maximum number of characters that are read of each text. */
const readCharacters = 4_000;

/** Reads what two conversations have in common, and the turns in which they differ. */
export function createComparisonRepository(query: Query) {
  return {
    /** The conversation and those that it was forked from, as far as they exist. */
    listAncestors: (conversationId: string): Promise<Ancestor[]> => query(listAncestors, { conversationId }),

    /** The turns from an ordinal on, without those whose messages other turns took and those that were rolled back. */
    listTurns: async (range: TurnRange): Promise<ComparedTurn[]> => {
      const rows = await query(listTurns, { ...range, characters: readCharacters });
      return rows.map((row) => {
        const { model, message, answers } = row;
        return { turn: toTurn(row), model, message, answers: answers ?? [] };
      });
    },
  };
}

interface TurnRange {
  conversationId: string;
  from: number;
  most: number;
}

const listAncestors = defineStatement<{ conversationId: string }, Ancestor>(
  'list_ancestors',
  `WITH RECURSIVE line AS (
     SELECT c.*, 0 AS depth FROM conversations c WHERE c.id = :conversationId
     UNION ALL
     SELECT c.*, line.depth + 1 FROM conversations c JOIN line ON c.id = line.parent_conversation_id
   )
   SELECT id, parent_conversation_id AS "parentId", parent_ordinal AS "parentOrdinal", fork_ordinal AS "forkOrdinal",
     deleted_at IS NOT NULL AS "isDeleted" FROM line ORDER BY depth`,
);

type ComparedRow = TurnRow & {
  model: string;
  message: string;
  answers: ComparedTurn['answers'] | null;
};

const listTurns = defineStatement<TurnRange & { characters: number }, ComparedRow>(
  'list_compared_turns',
  `SELECT t.*, v.model, coalesce((SELECT left(m.text, :characters::int) FROM messages m
       WHERE m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal AND m.iteration = 0
         AND m.steered_ordinal = 0), '') AS message,
     (SELECT jsonb_agg(jsonb_build_object('iteration', m.iteration, 'text', left(m.text, :characters::int), 'toolCalls', (
         SELECT jsonb_agg(jsonb_build_object('id', c.id, 'modelCallId', c.model_call_id, 'name', c.name,
           'arguments', c.arguments, 'invalidArguments', c.invalid_arguments, 'status', c.status,
           'result', left(c.result, :characters::int), 'resultBytes', c.result_bytes, 'error', c.error,
           'answeredBy', c.answered_by, 'recordedCallId', CASE WHEN c.answered_by IS NOT NULL THEN c.recorded_call_id END) ORDER BY c.index)
         FROM tool_calls c WHERE c.conversation_id = m.conversation_id AND c.turn_ordinal = m.turn_ordinal
           AND c.iteration = m.iteration)) ORDER BY m.iteration)
       FROM messages m WHERE m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal
         AND m.role = 'assistant' AND m.finish_reason IS NOT NULL) AS answers
   FROM turns t JOIN agent_versions v ON v.id = t.agent_version_id
   WHERE t.conversation_id = :conversationId AND t.ordinal >= :from::int AND t.status <> 'steered' AND NOT t.rolled_back
   ORDER BY t.ordinal LIMIT :most`,
);
