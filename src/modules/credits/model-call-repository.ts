import type { CallTime, ModelAnswer } from '../../domain/model.ts';
import type { Prices } from '../../domain/prices.ts';
import { newId } from '../../platform/lib/ids.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { addedUsage, toUsageBindings } from './usage-columns.ts';
import { callerSource, chargeCall, isBudgeted, workspacePrices } from './credit-sql.ts';

/** A model call that is a tool call of the ledger. */
export interface OpenModelCall {
  iteration: number;
  /** The answer that an earlier attempt has stored; null for none. */
  answer: string | null;
  /** Whether the workspace has budgets, so that the call has to be reserved. */
  budgeted: boolean;
  prices: Prices | null;
}

interface AnsweredModelCall {
  toolCallId: string;
  model: string;
  answer: Pick<ModelAnswer, 'text' | 'usage' | 'answeredBy'>;
  time: CallTime;
  /** The cost of the call, in credits; null for a model without a price. */
  credits: bigint | null;
}

/** Model calls that are tool calls of the ledger, outside the iterations of a turn. */
export function createModelCallRepository(query: Query) {
  return {
    findCall: async (toolCallId: string): Promise<OpenModelCall | null> => {
      const [row] = await query(findCall, { toolCallId });
      return row ?? null;
    },

    /** Stores an answer, its usage and its cost once; later answers of the same call change nothing. */
    settleCall: async (call: AnsweredModelCall): Promise<void> => {
      const { toolCallId } = call;
      await Promise.all([query(lockTurn, { toolCallId }), query(settleCall, toBindings(call))]);
    },
  };
}

function toBindings({ toolCallId, model, credits, answer, time }: AnsweredModelCall) {
  const { text, usage, answeredBy } = answer;
  return {
    ...{ toolCallId, model, answeredBy, text, ...toUsageBindings(usage), ...time },
    usageId: newId(),
    credits: credits === null ? null : String(credits),
  };
}

const findCall = defineStatement<{ toolCallId: string }, OpenModelCall>(
  'find_model_call',
  `SELECT iteration, result AS answer, ${isBudgeted} AS budgeted, ${workspacePrices} AS prices
   FROM tool_calls WHERE id = :toolCallId`,
);

/** Turns are locked before their calls. */
const lockTurn = defineStatement<{ toolCallId: string }, unknown>(
  'lock_turn_of_model_call',
  `SELECT FROM turns WHERE id = (SELECT turn_id FROM tool_calls WHERE id = :toolCallId) FOR NO KEY UPDATE`,
);

const settleCall = defineStatement<ReturnType<typeof toBindings>, unknown>(
  'settle_model_call',
  `WITH call AS (
  UPDATE tool_calls SET result = :text WHERE id = :toolCallId AND status = 'started' AND result IS NULL
  RETURNING turn_id, iteration
), turn AS (
  UPDATE turns t SET
    ${addedUsage}
  FROM call WHERE t.id = call.turn_id RETURNING t.id, ${callerSource('t')}
), used AS (
  INSERT INTO usage (id, turn_id, iteration, model, answered_by, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, usage_estimated, tool_choice, started_at, duration_ms)
  SELECT :usageId::uuid, turn.id, call.iteration, :model, :answeredBy, :inputTokens::bigint, :cacheReadTokens::bigint,
    :cacheWriteTokens::bigint, :outputTokens::bigint, :reasoningTokens::bigint, :isEstimated::boolean, 'auto', :startedAt::timestamptz,
    :durationMs::integer FROM turn, call
  ON CONFLICT DO NOTHING
), ${chargeCall({ from: 'turn, call', part: `'model/' || call.iteration`, kind: 'model', name: ':model' })}
SELECT FROM call`,
);
