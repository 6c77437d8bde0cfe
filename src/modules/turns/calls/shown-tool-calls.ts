import { toDurationMs } from '../../../domain/duration.ts';
import type { CallDecision, RecordedAnswer, SettleState, ToolCall } from '../../../domain/turn.ts';
import { toToolResponse, type ToolCallDetails } from '../../../domain/tool-response.ts';
import { defineStatement } from '../../../platform/database/statement.ts';
import type { ToolCallRow } from './tool-call-rows.ts';

/** The size of a turn's details, in bytes of arguments and results: results that come later are cut. */
const maxDetailBytes = 4 * 1024 * 1024;

/** The length to which a result is cut, in characters. */
const cutCharacters = 2_000;

/** The type of the tool stands in for the tool itself, whose schema may be large. */
type ShownRow = Omit<ToolCallRow, 'tool'> & {
  type: string | null;
  answered_by: RecordedAnswer | null;
  settle_state: SettleState | null;
  approval: CallDecision | null;
};

const columns = `c.id, c.iteration, c.index, c.name, c.tool ->> 'type' AS type, c.status, c.arguments, c.child_turn_id, c.answered_by,
  c.error, c.attempts, c.settle_state, c.started_at, c.ended_at,
  (SELECT jsonb_build_object('actionId', a.id, 'status', a.status, 'decidedBy', a.decided_by)
   FROM pending_actions a WHERE a.tool_call_id = c.id AND a.kind = 'approval') AS approval`;

/** Lists the tool calls of a turn. Results beyond 4 MiB together are cut, and have no content. */
export const listShownToolCalls = defineStatement<{ turnId: string }, ShownRow>(
  'list_shown_tool_calls',
  `WITH sized AS (
     SELECT id, sum(coalesce(octet_length(result), 0) + coalesce(octet_length(result_content::text), 0)
       + coalesce(octet_length(arguments::text), 0)) OVER (ORDER BY iteration, index) <= ${maxDetailBytes} AS fits
     FROM tool_calls WHERE turn_id = :turnId
   )
   SELECT ${columns},
     CASE WHEN fits THEN c.result ELSE left(c.result, ${cutCharacters}) END AS result,
     c.result_truncated OR NOT fits AND (length(c.result) > ${cutCharacters} OR c.result_content IS NOT NULL)
       AS result_truncated,
     CASE WHEN fits THEN c.result_content END AS result_content
   FROM tool_calls c JOIN sized USING (id) ORDER BY c.iteration, c.index`,
);

/** Finds one tool call of a turn, with its whole result. */
export const findShownToolCall = defineStatement<
  { turnId: string; toolCallId: string },
  ShownRow & { credits: string | null }
>(
  'find_shown_tool_call',
  `SELECT ${columns}, c.result, c.result_truncated, c.result_content, (SELECT e.credits::text FROM credit_entries e
     WHERE e.source_id = c.turn_id AND e.part = 'tool/' || c.iteration || '/' || c.index AND e.status = 'settled') AS credits
   FROM tool_calls c WHERE c.id = :toolCallId AND c.turn_id = :turnId`,
);

/** A tool call as the API shows it alone, with its response. */
export function toToolCallDetails(row: ShownRow & { credits: string | null }): ToolCallDetails {
  const call = toToolCall(row);
  return { ...call, response: toToolResponse(call, row.credits ?? '0') };
}

/** A tool call as the API shows it. */
export function toToolCall(row: ShownRow): ToolCall {
  return {
    id: row.id,
    iteration: row.iteration,
    index: row.index,
    name: row.name,
    type: row.type ?? 'none',
    status: row.status,
    arguments: row.arguments,
    result: row.result,
    resultTruncated: row.result_truncated,
    content: row.result_content,
    childTurnId: row.child_turn_id,
    answeredBy: row.answered_by,
    approval: row.approval,
    error: row.error,
    attempts: row.attempts,
    settling: row.settle_state,
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    durationMs: toDurationMs(row.started_at, row.ended_at),
  };
}
