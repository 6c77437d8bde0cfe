import type { EventPayload } from '../../../domain/event.ts';
import type { CallRecord, FinishReason, Sampling } from '../../../domain/model.ts';
import type { RefusedAnswer } from '../../../domain/response-schema.ts';
import type { FailedAttempt } from '../../../domain/turn.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import type { UsageColumns } from '../../credits/usage-columns.ts';
import { turnNotFound } from '../turn-rows.ts';

/** A turn with the first model of its agent version, and the attempts of its steps that failed. */
export interface CallingTurn {
  model: string;
  failedAttempts: FailedAttempt[];
}

/** The stored answer of one iteration. The message is missing when it was removed. */
export interface AnsweredCallRow extends UsageColumns {
  iteration: number;
  model: string;
  answered_by: string;
  tool_choice: CallRecord['toolChoice'] | null;
  left_out: string[] | null;
  sampling: Sampling | null;
  started_at: Date | null;
  duration_ms: number | null;
  created_at: Date;
  message_id: string | null;
  finish_reason: FinishReason | null;
  refused: RefusedAnswer | null;
  /** Null for a model without a price, and for a call that was not made here. */
  credits: string | null;
}

/** An event about a call that did not give the answer of its iteration. */
export type OtherCallEvent = {
  [Type in 'model.passed' | 'model.cut_short']: { type: Type; payload: EventPayload<Type> };
}['model.passed' | 'model.cut_short'];

/** Reads what is stored of the model calls of a turn. */
export function createModelCallListRepository(query: Query) {
  return {
    /** @throws HoldfastError `NOT_FOUND` */
    getTurn: async (turnId: string): Promise<CallingTurn> => {
      const [row] = await query(findCallingTurn, { turnId });
      if (!row) throw turnNotFound(turnId);
      return row;
    },

    /** In the order of the iterations. */
    listAnswered: (turnId: string): Promise<AnsweredCallRow[]> => query(listAnswered, { turnId }),

    /** In the order in which they were stored. */
    listOtherEvents: (turnId: string): Promise<OtherCallEvent[]> => query(listOtherEvents, { turnId }),
  };
}

const findCallingTurn = defineStatement<{ turnId: string }, CallingTurn>(
  'find_turn_of_model_calls',
  `SELECT v.model, t.failed_attempts AS "failedAttempts" FROM turns t
   JOIN conversations c ON c.id = t.conversation_id JOIN agent_versions v ON v.id = t.agent_version_id
   WHERE t.id = :turnId AND c.deleted_at IS NULL`,
);

/** The text about the end of a turn is a message too, of an iteration without a model call. */
const listAnswered = defineStatement<{ turnId: string }, AnsweredCallRow>(
  'list_answered_model_calls',
  `SELECT u.*, m.id AS message_id, m.finish_reason, m.refused,
     CASE WHEN e.priced THEN e.credits::text END AS credits
   FROM usage u
   LEFT JOIN messages m ON m.turn_id = u.turn_id AND m.iteration = u.iteration AND m.role = 'assistant'
   LEFT JOIN credit_entries e ON e.source_id = u.turn_id AND e.part = 'model/' || u.iteration AND e.status = 'settled'
   WHERE u.turn_id = :turnId ORDER BY u.iteration`,
);

const listOtherEvents = defineStatement<{ turnId: string }, OtherCallEvent>(
  'list_events_of_other_model_calls',
  `SELECT type, payload FROM events WHERE turn_id = :turnId AND type IN ('model.passed', 'model.cut_short')
   ORDER BY seq`,
);
