import { newId } from '../../platform/lib/ids.ts';
import type { AuditType } from '../../domain/audit.ts';
import type { ErrorInfo } from '../../domain/errors.ts';
import type { NewEvent } from '../../domain/event.ts';
import type { JsonObject, JsonValue } from '../../domain/json.ts';
import type { CallRecord, CallTime, FinishReason, Usage } from '../../domain/model.ts';
import type { Tool, ToolEffect } from '../../domain/tool.ts';
import type { RefusedAnswer } from '../../domain/response-schema.ts';
import type { FailedAttempt, Turn } from '../../domain/turn.ts';
import type { TurnOutcome } from '../../domain/turn-status.ts';
import type { TokenRatios } from '../../domain/token-estimate.ts';
import { countAnswer } from '../../domain/model-context.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { callerSource, chargeCall } from '../credits/credit-sql.ts';
import { notifyOfEnd, insertedDeliveries } from '../../platform/outbox/notify-webhooks.ts';
import { uncountTurn } from './messages/roll-back-turn.ts';
import { lockTurnRow, toTurn } from './turn-rows.ts';
import { addedUsage, toUsageBindings } from '../credits/usage-columns.ts';
import { isSteered, turnState, type TurnState } from './turn-state.ts';
import { createTurnQueue } from './messages/turn-queue.ts';

/** A tool call as the ledger first records it, before anything runs. */
export interface NewToolCall {
  id: string;
  index: number;
  key: string;
  modelCallId: string;
  name: string;
  tool: Tool | null;
  effect: ToolEffect;
  arguments: JsonObject | null;
  invalidArguments: string | null;
  argumentsHash: string;
  /** The names under which the ledger and the rules know the server or connection that it goes to. */
  connector: string | null;
  target: string | null;
  /** The reason why it will not run, when that is known while its answer is stored. */
  refusal: ErrorInfo | null;
}

/** Everything that is stored of one finished model call. */
export interface NewAnswer {
  turnId: string;
  iteration: number;
  model: string;
  answeredBy: string;
  text: string;
  /** The reasoning that the vendor shows; null when it shows none. */
  reasoning: string | null;
  finishReason: FinishReason;
  providerContent: JsonValue | null;
  usage: Usage;
  /** The cost of the call, in credits; null for a model without a price. */
  credits: bigint | null;
  record: CallRecord;
  time: CallTime;
  /** The tokens of a byte that the model has counted; nothing when it has counted none. */
  learned: TokenRatios;
  toolCalls: NewToolCall[];
  events: NewEvent[];
  /** Set when this answer ends the turn. */
  outcome: TurnOutcome | null;
  messageId: string;
  /** Set for an answer that satisfies the schema of its turn. */
  answerJson?: JsonObject;
  /** Set for an answer that does not, and after which the model is asked again. */
  refused?: RefusedAnswer;
  /** Set when the turn fails with this answer. */
  error?: ErrorInfo;
  /** Set when the calls are claimed with the answer, for the attempt that this id names. */
  claimId?: string | undefined;
  /** How many messages that were sent while the turn runs this answer has seen. */
  steered: number;
  /** The process that held the turn when the model call began. An answer of a turn that another one holds is refused. */
  heldBy: string | null;
  /** Set for an answer that is not stored as it is when another message waits: it ends the turn, or claims calls. */
  yields: boolean;
  /** Set when the audit log records this answer. */
  audit?: { type: AuditType; payload: JsonObject };
}

/** A turn that does not change until the transaction ends. */
interface LockedTurn extends Turn {
  timeoutMs: number;
  cancelRequested: boolean;
  ordinal: number;
  heldBy: string | null;
}

interface Settlement {
  turnId: string;
  outcome: TurnOutcome;
  answer: string;
  error: ErrorInfo | null;
  event: NewEvent;
}

/** Stores the answers of a turn's model calls, and how the turn ended. */
export function createTurnAnswerRepository(query: Query) {
  return {
    /**
     * Stores an answer once. Null when the turn has ended or is held by another process, when the answer of this iteration is
     * stored already, and when the answer has not seen a message that the turn has taken or, if it yields, is to take.
     */
    storeAnswer: async (answer: NewAnswer): Promise<TurnState | null> => {
      const [state] = await query(storeAnswer, toAnswerBindings(answer));
      return state ?? null;
    },

    /** Reads a turn and keeps it from changing until the transaction ends. */
    lockTurn: async (turnId: string): Promise<LockedTurn | null> => {
      const [row] = await query(lockTurnRow, { turnId });
      if (!row) return null;
      const { timeout_ms: timeoutMs, ordinal, held_by: heldBy } = row;
      return {
        ...toTurn(row),
        timeoutMs,
        cancelRequested: row.cancel_requested_at !== null,
        ordinal,
        heldBy,
      };
    },

    /** Ends a turn that `lockTurn` has found running. */
    settleTurn: async (settlement: Settlement): Promise<void> => {
      await query(settleTurn, toSettleBindings(settlement));
    },

    /** Leaves a turn that was rolled back out of the characters of its conversation. */
    uncountTurn: async (turnId: string): Promise<void> => {
      await query(uncountTurn, { turnId });
    },

    /** The last text that was streamed of an iteration that never finished. */
    findPartialText: async (turnId: string, iteration: number): Promise<string> => {
      const [row] = await query(findPartialText, { turnId, iteration });
      return row?.text ?? '';
    },

    /** Notes that the model call of an iteration hung. False when an earlier call of the iteration did. */
    noteHungCall: async (turnId: string, iteration: number): Promise<boolean> => {
      const rows = await query(noteHungCall, { turnId, iteration });
      return rows.length > 0;
    },

    /** Notes an attempt of a step that failed; the first 50 of a turn are kept. */
    noteFailedAttempt: async (turnId: string, attempt: FailedAttempt): Promise<void> => {
      await query(noteFailedAttempt, { turnId, attempts: toStorableJson([attempt]) });
    },

    /** As `promoteNextTurn` of the queue of turns. */
    promoteNextTurn: createTurnQueue(query).promoteNextTurn,
  };
}

export type TurnAnswerRepository = ReturnType<typeof createTurnAnswerRepository>;

function toAnswerBindings(answer: NewAnswer) {
  const { toolCalls, usage, record, time } = answer;
  return {
    ...toUsageBindings(usage),
    turnId: answer.turnId,
    iteration: answer.iteration,
    model: answer.model,
    answeredBy: answer.answeredBy,
    answerText: answer.text,
    reasoning: answer.reasoning,
    answerJson: answer.answerJson ? toStorableJson(answer.answerJson) : null,
    refused: answer.refused ? toStorableJson(answer.refused) : null,
    finishReason: answer.finishReason,
    outcome: answer.outcome,
    messageId: answer.messageId,
    usageId: newId(),
    credits: answer.credits === null ? null : String(answer.credits),
    toolChoice: record.toolChoice,
    leftOut: record.leftOut && toStorableJson(record.leftOut),
    sampling: record.sampling && toStorableJson({ ...record.sampling }),
    contextFrom: record.contextFrom,
    startedAt: time.startedAt,
    durationMs: time.durationMs,
    providerContent: answer.providerContent === null ? null : toStorableJson(answer.providerContent),
    toolCalls: toStorableJson(toolCalls),
    claimId: answer.claimId ?? null,
    steered: answer.steered,
    heldBy: answer.heldBy,
    yields: answer.yields,
    events: toStorableJson(answer.events),
    error: answer.error ? toStorableJson(answer.error) : null,
    auditId: newId(),
    auditType: answer.audit?.type ?? null,
    auditPayload: answer.audit ? toStorableJson(answer.audit.payload) : null,
    characters: countAnswer(answer.text, toolCalls),
    learned: toStorableJson({ ...answer.learned }),
  };
}

/** Claimed calls and the events of their start are on disk before one of them runs. */
const storeAnswer = defineStatement<ReturnType<typeof toAnswerBindings>, TurnState>(
  'store_turn_answer',
  `WITH turn AS (
  UPDATE turns SET
    iterations = :iteration,
    status = coalesce(:outcome::text, status),
    answer = CASE WHEN :outcome::text IS NULL THEN answer ELSE :answerText END,
    answer_json = :answerJson::json,
    error = coalesce(:error::jsonb, error),
    settled_at = CASE WHEN :outcome::text IS NULL THEN settled_at ELSE now() END,
    ${addedUsage}
  WHERE id = :turnId AND status = 'running' AND iterations < :iteration AND steered = :steered AND NOT rolled_back
    AND held_by IS NOT DISTINCT FROM :heldBy::uuid
    AND NOT (:yields::boolean AND ${isSteered('turns')}) AND (:claimId::uuid IS NULL OR recorded_from IS NULL)
  RETURNING id, ordinal, parent_turn_id, recorded_from, status, cancel_requested_at, ${callerSource('turns')}
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text, reasoning,
    finish_reason, provider_content, refused)
  SELECT :messageId::uuid, conversation_id, id, ordinal, :iteration::int, 'assistant', :answerText, :reasoning::text,
    :finishReason, :providerContent::jsonb, :refused::jsonb FROM turn
), used AS (
  INSERT INTO usage (id, turn_id, iteration, model, answered_by, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, usage_estimated, tool_choice, left_out, sampling, context_from, started_at, duration_ms)
  SELECT :usageId::uuid, id, :iteration::int, :model, :answeredBy, :inputTokens::bigint, :cacheReadTokens::bigint,
    :cacheWriteTokens::bigint, :outputTokens::bigint, :reasoningTokens::bigint, :isEstimated::boolean, :toolChoice,
    :leftOut::jsonb, :sampling::jsonb, :contextFrom::integer, :startedAt::timestamptz,
    :durationMs::integer FROM turn
), ${chargeCall({ from: 'turn', part: `'model/' || :iteration::int`, kind: 'model', name: ':model' })}, calls AS (
  INSERT INTO tool_calls (id, conversation_id, turn_id, turn_ordinal, iteration, index, key, model_call_id, name, tool,
    effect, arguments, invalid_arguments, arguments_hash, connector, target, error, status, attempts, started_at,
    claimed_by, claimed_from)
  SELECT call.id, turn.conversation_id, turn.id, turn.ordinal, :iteration::int, call.index, call.key,
    call."modelCallId", call.name, nullif(call.tool, 'null'::jsonb), call.effect,
    nullif(call.arguments, 'null'::jsonb), call."invalidArguments", call."argumentsHash", call.connector,
    call.target, nullif(call.refusal, 'null'::jsonb), claim.status, claim.attempts, claim.started_at, :claimId::uuid,
    claim.claimed_from
  FROM turn, (SELECT CASE WHEN :claimId::uuid IS NULL THEN 'requested' ELSE 'started' END AS status,
    (:claimId::uuid IS NOT NULL)::int AS attempts,
    CASE WHEN :claimId::uuid IS NOT NULL THEN clock_timestamp() END AS started_at,
    CASE WHEN :claimId::uuid IS NOT NULL THEN 'requested' END AS claimed_from) AS claim, jsonb_to_recordset(:toolCalls::jsonb) AS call (id uuid, index int, key text, "modelCallId" text,
    name text, tool jsonb, effect text, arguments jsonb, "invalidArguments" text, "argumentsHash" text,
    connector text, target text, refusal jsonb)
), audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  SELECT :auditId::uuid, :auditType::text, id, :auditPayload::jsonb FROM turn WHERE :auditType::text IS NOT NULL
), ${notifyOfEnd({ where: ':outcome::text IS NOT NULL' })}
SELECT append_events(conversation_id, id, :events::jsonb, :characters::int, :learned::jsonb), ${turnState('turn')}, ${insertedDeliveries} FROM turn`,
);

function toSettleBindings({ turnId, outcome, answer, error, event }: Settlement) {
  return {
    turnId,
    outcome,
    answer,
    error: error && toStorableJson(error),
    messageId: newId(),
    events: toStorableJson([event]),
    characters: answer.length,
  };
}

/**
 * Stores the text about the end of the turn as a message too, so that the conversation shows no gap. Gives back what calls
 * have reserved that never ended.
 */
const settleTurn = defineStatement<ReturnType<typeof toSettleBindings>, unknown>(
  'settle_turn',
  `WITH turn AS (
  UPDATE turns SET status = :outcome, answer = :answer, error = :error::jsonb, settled_at = now()
  WHERE id = :turnId RETURNING id, conversation_id, ordinal, agent_id, parent_turn_id, recorded_from, status
), released AS (
  UPDATE credit_entries SET status = 'released', credits = 0, counted = true
  WHERE source_id = :turnId AND status = 'reserved'
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
  SELECT :messageId::uuid, conversation_id, id, ordinal,
    (SELECT max(iteration) + 1 FROM messages m WHERE m.conversation_id = turn.conversation_id
      AND m.turn_ordinal = turn.ordinal), 'assistant', :answer FROM turn
), ${notifyOfEnd()}
SELECT append_events(conversation_id, id, :events::jsonb, :characters::int), ${insertedDeliveries} FROM turn`,
);

const noteFailedAttempt = defineStatement<{ turnId: string; attempts: string }, unknown>(
  'note_failed_attempt',
  `UPDATE turns SET failed_attempts = failed_attempts || :attempts::jsonb
   WHERE id = :turnId AND jsonb_array_length(failed_attempts) < 50`,
);

const noteHungCall = defineStatement<{ turnId: string; iteration: number }, { id: string }>(
  'note_hung_call',
  `UPDATE turns SET hung_iteration = :iteration
   WHERE id = :turnId AND hung_iteration IS DISTINCT FROM :iteration::int RETURNING id`,
);

const findPartialText = defineStatement<{ turnId: string; iteration: number }, { text: string | null }>(
  'find_partial_text',
  `SELECT string_agg(s.text, '' ORDER BY s.id) AS text FROM stream_chunks s
   JOIN turns t ON t.id = s.turn_id AND t.conversation_id = s.conversation_id
   WHERE s.turn_id = :turnId AND s.iteration = :iteration AND s.attempt = (
     SELECT max(attempt) FROM stream_chunks latest
     WHERE latest.conversation_id = t.conversation_id AND latest.turn_id = :turnId AND latest.iteration = :iteration
       AND latest.text IS NOT NULL)`,
);
