import type { ErrorInfo } from '../../../domain/errors.ts';
import type { NewEvent } from '../../../domain/event.ts';
import { countToolEnd, modelResultCharacters, type ContextToolCall } from '../../../domain/model-context.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import type { RecordedAnswer, ToolCallStatus } from '../../../domain/turn.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { filesOfResult } from '../../files/message-files.ts';

/** The end of a call that got a recorded result. */
export interface RecordedEnd {
  id: string;
  status: ToolCallStatus;
  result?: string | undefined;
  resultBytes?: number | undefined;
  error?: ErrorInfo | undefined;
  answeredBy: RecordedAnswer;
  recordedCallId: string | null;
  event: NewEvent;
}

/** Stores the ends of calls that never ran: with an event for those who follow the turn, and none in the audit log. */
export function createRecordedStepRepository(query: Query) {
  return {
    /** The calls of a turn after an iteration, in their order, with their results as a model gets them. */
    listCalls: (turnId: string, afterIteration: number): Promise<ContextToolCall[]> =>
      query(listCalls, { turnId, afterIteration, resultCharacters: modelResultCharacters }),

    /** The name of the model that gave the last answer of a turn; null for a turn without an answer. */
    findAnsweringModel: async (turnId: string): Promise<string | null> => {
      const [row] = await query(findAnsweringModel, { turnId });
      return row?.model ?? null;
    },

    endCall: async (end: RecordedEnd): Promise<void> => {
      await query(endCall, toEndBindings(end));
    },
  };
}

export type RecordedStepRepository = ReturnType<typeof createRecordedStepRepository>;

const listCalls = defineStatement<
  { turnId: string; afterIteration: number; resultCharacters: number },
  ContextToolCall
>(
  'list_calls_of_recorded_turn',
  `SELECT id, recorded_call_id AS "recordedId", model_call_id AS "modelCallId", name, arguments, invalid_arguments AS "invalidArguments", status,
     left(result, :resultCharacters::int) AS result, result_bytes AS "resultBytes", error,
     ${filesOfResult('result_content')} AS files
   FROM tool_calls WHERE turn_id = :turnId AND iteration > :afterIteration ORDER BY iteration, index`,
);

const findAnsweringModel = defineStatement<{ turnId: string }, { model: string }>(
  'find_answering_model',
  'SELECT model FROM usage WHERE turn_id = :turnId ORDER BY iteration DESC LIMIT 1',
);

function toEndBindings({ id, status, result, resultBytes, error, ...end }: RecordedEnd) {
  const { answeredBy, recordedCallId, event } = end;
  return {
    ...{ id, status, answeredBy, recordedCallId },
    result: result ?? null,
    resultBytes: resultBytes ?? null,
    isCut: result !== undefined && (resultBytes ?? 0) > Buffer.byteLength(result),
    error: error ? toStorableJson(error) : null,
    events: toStorableJson([event]),
    characters: countToolEnd({
      ...(result === undefined ? {} : { result }),
      ...(error === undefined ? {} : { error }),
    }),
  };
}

/** The model gets at most the beginning of a recorded result; the whole is copied. A copy of a copy names the original. */
const endCall = defineStatement<ReturnType<typeof toEndBindings>, unknown>(
  'end_recorded_call',
  `WITH recorded AS (
  SELECT coalesce(recorded_call_id, id) AS id, result, result_truncated, result_content FROM tool_calls
  WHERE id = :recordedCallId::uuid
), ended AS (
  UPDATE tool_calls SET status = :status, result = coalesce((SELECT result FROM recorded), :result),
    result_bytes = :resultBytes::int, result_truncated = coalesce((SELECT result_truncated FROM recorded), :isCut::boolean),
    error = :error::jsonb, answered_by = :answeredBy,
    recorded_call_id = coalesce((SELECT id FROM recorded), :recordedCallId::uuid),
    result_content = (SELECT result_content FROM recorded), ended_at = clock_timestamp()
  WHERE id = :id AND status = 'requested'
  RETURNING conversation_id, turn_id
)
SELECT append_events(conversation_id, turn_id, :events::jsonb, :characters::int) FROM ended`,
);
