import type { AgentVersion } from '../../../domain/agent.ts';
import type { ApprovalMode } from '../../../domain/approval.ts';
import { wholeConversation, type ContextStart } from '../../../domain/compaction.ts';
import { toSettleReserveMs } from '../../../domain/limits.ts';
import type { FinishReason } from '../../../domain/model.ts';
import {
  modelResultCharacters,
  referencedResultBytes,
  type ContextMessage,
} from '../../../domain/model-context.ts';
import type { Prices } from '../../../domain/prices.ts';
import type { NamedConnection } from '../../../domain/rules.ts';
import { withSkillTools } from '../../../domain/skill-tools.ts';
import type { TokenRatios } from '../../../domain/token-estimate.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { isSettled } from '../../../domain/turn-status.ts';
import { isUuid } from '../../../domain/uuid.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { compactionInForce } from './compaction-sql.ts';
import { isBudgeted, workspacePrices } from '../../credits/credit-sql.ts';
import { toVersion, type VersionRow } from '../../agents/agent-rows.ts';
import { filesOfResult, partsWithFiles } from '../../files/message-files.ts';
import { type TurnRow } from '../turn-rows.ts';
import { toUsage, type UsageColumns } from '../../credits/usage-columns.ts';
import { isSteeredOrTaking, quarantinedTools } from '../turn-state.ts';
import { tokensUsed } from '../turn-tokens.ts';

/** Reads what a model call needs: the turn, its agent version and the newest turns of the conversation. */
export function createTurnContextRepository(query: Query) {
  return {
    /**
     * The turn, and its message of one iteration when that is stored already. The text of the summary that holds there is not
     * read again when the caller knows it.
     */
    findStep: async (turnId: string, iteration: number, knownSummaryId: string | null = null) => {
      const [row] = await query(findStep, { turnId, iteration, knownSummaryId });
      return row ? toTurnStep(row) : null;
    },

    /**
     * Makes a process the holder of a running turn: the writes of the process that held it before change nothing from then on.
     * The commit does not wait for the disk.
     */
    hold: async (turnId: string, heldBy: string): Promise<void> => {
      await query(hold, { turnId, heldBy });
    },

    /**
     * Messages of the turns that the model call of an iteration sees, oldest first, without the summary of those before.
     * Only the turns after `afterOrdinal` are read. With `keepsResults` large results of old turns are no references.
     */
    listContext: (
      turnId: string,
      { iteration, afterOrdinal = 0, keepsResults = false }: ContextRequest,
    ): Promise<ContextMessage[]> =>
      query(listContext, {
        ...{ turnId, iteration, afterOrdinal, keepsResults },
        mostCharacters,
        resultCharacters: modelResultCharacters,
        referencedBytes: referencedResultBytes,
      }),

    /** Moves the deadline of a running turn, in epoch milliseconds. */
    extendDeadline: async (turnId: string, deadlineAt: number): Promise<void> => {
      await query(extendDeadline, { turnId, deadlineAt });
    },

    /** Moves the deadline of a running turn whose steps may run until then, in epoch milliseconds; never to an earlier time. */
    extendStepDeadline: async (turnId: string, stepsEndAt: number): Promise<void> => {
      const mostReserveMs = toSettleReserveMs(Infinity);
      await query(extendStepDeadline, { turnId, stepsEndAt: Math.round(stepsEndAt), mostReserveMs });
    },

    /** The connections that have one of these ids or names. */
    listNamed: ({ ids, names }: NamedRequest): Promise<NamedConnection[]> =>
      query(listNamed, {
        ids: JSON.stringify(ids.filter(isUuid)),
        names: toStorableJson(names),
      }),

    /** Returns a version as turns run it, with the tools that read its skills. */
    getVersion: async (id: string): Promise<AgentVersion> => {
      const [row] = await query(findVersion, { id });
      if (!row) throw new Error(`agent version ${id} is gone`);
      return withSkillTools(toVersion(row));
    },
  };
}

/** Selects the messages of a model call. */
interface ContextRequest {
  iteration: number;
  afterOrdinal?: number;
  keepsResults?: boolean;
}

/**
 * The maximum number of characters of a conversation that are read, for conversations that grew long before their first compaction.
 * No model takes more.
 */
const mostCharacters = 8_000_000;

/** Names connections by their ids or by their names. */
export interface NamedRequest {
  ids: string[];
  names: string[];
}

const listNamed = defineStatement<{ ids: string; names: string }, NamedConnection>(
  'list_named_connections',
  `SELECT id, name, provider FROM connections
   WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::uuid))
     OR name = ANY (ARRAY(SELECT jsonb_array_elements_text(:names::jsonb)))`,
);

export type TurnContextRepository = ReturnType<typeof createTurnContextRepository>;

interface StepRow extends TurnRow {
  stored_text: string | null;
  stored_finish_reason: FinishReason | null;
  stored_usage: UsageColumns | null;
  streamed_attempt: number | null;
  has_hung: boolean;
  tokens_used: number;
  quarantined: string[];
  steering: boolean;
  token_ratios: TokenRatios;
  start: ContextStart | null;
  workspace_approval: ApprovalMode | null;
  prices: Prices | null;
  budgeted: boolean;
}

interface StepValues {
  turnId: string;
  iteration: number;
  knownSummaryId: string | null;
}

/** A conversation has one running turn at a time, so its last chunk has the number of the last attempt that streamed. */
const findStep = defineStatement<StepValues, StepRow>(
  'find_turn_step',
  `SELECT t.*, m.text AS stored_text, m.finish_reason AS stored_finish_reason, to_jsonb(u.*) AS stored_usage,
     ${tokensUsed} AS tokens_used, ${quarantinedTools('t')} AS quarantined, ${isSteeredOrTaking('t')} AS steering,
     (SELECT c.token_ratios FROM conversations c WHERE c.id = t.conversation_id) AS token_ratios,
     (SELECT jsonb_build_object('throughOrdinal', k.through_ordinal, 'throughOffset', k.through_offset,
        'referencesThrough', k.references_through, 'summaryId', k.message_id,
        'made', CASE WHEN (k.turn_ordinal, k.iteration) = (t.ordinal, :iteration::int) THEN k.number ELSE 0 END, 'summary',
        CASE WHEN k.message_id IS DISTINCT FROM :knownSummaryId::uuid THEN (SELECT s.text FROM messages s WHERE s.id = k.message_id) END)
      FROM ${compactionInForce} k) AS start,
     (SELECT w.approval FROM workspaces w WHERE w.id = t.workspace_id) AS workspace_approval,
     ${workspacePrices} AS prices, ${isBudgeted} AS budgeted,
     (SELECT CASE WHEN s.turn_id = t.id AND s.iteration = :iteration THEN s.attempt END FROM stream_chunks s
      WHERE s.conversation_id = t.conversation_id ORDER BY s.id DESC LIMIT 1) AS streamed_attempt,
     t.hung_iteration IS NOT DISTINCT FROM :iteration::int AS has_hung
   FROM turns t
   LEFT JOIN messages m ON m.conversation_id = t.conversation_id AND m.turn_ordinal = t.ordinal
     AND m.iteration = :iteration AND m.role = 'assistant'
   LEFT JOIN usage u ON u.turn_id = t.id AND u.iteration = :iteration
   WHERE t.id = :turnId`,
);

/** A holder that a crash of Postgres forgets has lost the turn, and another attempt takes it. */
const withoutWaiting = `set_config('synchronous_commit', 'off', true)`;

const hold = defineStatement<{ turnId: string; heldBy: string }, unknown>(
  'hold_turn',
  `UPDATE turns SET held_by = :heldBy::uuid WHERE id = :turnId AND status = 'running' RETURNING ${withoutWaiting}`,
);

function toTurnStep(row: StepRow) {
  return {
    conversationId: row.conversation_id,
    agentId: row.agent_id,
    agentVersionId: row.agent_version_id,
    ordinal: row.ordinal,
    /** How many of its first steps are copies of those of another turn. */
    copiedIterations: row.copied_iterations,
    restarts: row.restarts,
    deadlineAt: row.deadline_at?.getTime() ?? 0,
    timeoutMs: row.timeout_ms,
    status: row.status,
    outcome: isSettled(row.status) ? row.status : null,
    cancelRequested: row.cancel_requested_at !== null,
    /** The last attempt that streamed text of this iteration, also when its process died; 0 when none has. */
    streamedAttempt: row.streamed_attempt ?? 0,
    /** Whether a model call of this iteration took too long in an earlier attempt. */
    hasHung: row.has_hung,
    usage: toUsage(row),
    /** By all model calls so far, those of child turns included. */
    tokensUsed: row.tokens_used,
    /** The tokens of a byte, as models have counted them in the conversation. */
    tokenRatios: row.token_ratios,
    /** Where the context starts by the last compaction. */
    start: row.start ?? wholeConversation,
    /** The tokens that the turn above has left for this one; null for a turn that no other turn started. */
    maxTokens: row.max_tokens,
    /** The maximum number of iterations that the turn above allows; null as for `maxTokens`. */
    maxIterations: row.max_iterations,
    /** The ids of the agent's tools that changed since they were accepted. */
    quarantined: row.quarantined,
    /** How many messages that were sent while it ran the turn has taken, and whether another one waits for it. */
    steered: row.steered,
    steering: row.steering,
    /** The process that holds the turn; null while workflow code runs its steps. */
    heldBy: row.held_by,
    ruleSources: row.rule_sources,
    responseSchema: row.response_schema,
    /** Whether calls that change something are asked about where their tools do not say. */
    workspaceApproval: row.workspace_approval,
    /** The prices that the workspace has set in place of the list's. */
    prices: row.prices ?? {},
    /** Whether the workspace has budgets, so that calls are reserved before they are made. */
    budgeted: row.budgeted,
    stored: toStored(row),
  };
}

/** A turn at the start of one of its model calls. */
export type TurnStep = ReturnType<typeof toTurnStep>;

function toStored({ stored_text: text, stored_finish_reason: finishReason, stored_usage: usage }: StepRow) {
  if (text === null || finishReason === null || usage === null) return null;
  return { text, finishReason, usage: toUsage(usage) };
}

const extendDeadline = defineStatement<{ turnId: string; deadlineAt: number }, unknown>(
  'extend_turn_deadline',
  `UPDATE turns SET deadline_at = to_timestamp(:deadlineAt::bigint / 1000.0)
   WHERE id = :turnId AND status = 'running'`,
);

/** The reserve is that of `toSettleReserveMs`. */
const extendStepDeadline = defineStatement<
  { turnId: string; stepsEndAt: number; mostReserveMs: number },
  unknown
>(
  'extend_turn_step_deadline',
  `UPDATE turns SET deadline_at = greatest(deadline_at, to_timestamp(:stepsEndAt::bigint / 1000.0)
     + make_interval(secs => least(:mostReserveMs::float8, timeout_ms / 4.0) / 1000))
   WHERE id = :turnId AND status = 'running'`,
);

interface ContextWindow extends Required<ContextRequest> {
  turnId: string;
  mostCharacters: number;
  resultCharacters: number;
  referencedBytes: number;
}

const listContext = defineStatement<ContextWindow, ContextMessage>(
  'list_turn_context',
  `WITH target AS MATERIALIZED (
     SELECT t.conversation_id, t.ordinal, c.hidden_ordinals, coalesce(k.references_through, 0) AS references_through,
       coalesce(k.through_ordinal, 0) + 1 AS first_ordinal, CASE WHEN t.characters_before > :mostCharacters::bigint THEN (
         SELECT coalesce(max(older.ordinal), 0) FROM (
           SELECT o.ordinal FROM turns o JOIN agent_versions v ON v.id = t.agent_version_id AND v.compaction <> 'off'
           WHERE o.conversation_id = t.conversation_id AND o.ordinal < t.ordinal
             AND o.characters_before < t.characters_before - :mostCharacters::bigint
           ORDER BY o.ordinal DESC LIMIT 1
         ) older
       ) ELSE 0 END AS unread
     FROM turns t JOIN conversations c ON c.id = t.conversation_id LEFT JOIN ${compactionInForce} k ON true
     WHERE t.id = :turnId
   )
   SELECT m.turn_ordinal AS "turnOrdinal", target.first_ordinal AS "firstOrdinal", m.iteration, m.role, m.text,
     ${partsWithFiles('m.parts')} AS parts, m.provider_content AS "providerContent", m.refused,
     CASE WHEN m.role = 'assistant' THEN (
       SELECT jsonb_agg(jsonb_build_object('id', c.id, 'recordedId', c.recorded_call_id,
         'modelCallId', c.model_call_id, 'name', c.name, 'effect', c.effect,
         'arguments', c.arguments, 'invalidArguments', c.invalid_arguments, 'status', c.status,
         'result', CASE WHEN NOT large.referenced THEN left(c.result, :resultCharacters::int) END,
         'resultBytes', c.result_bytes, 'error', c.error, 'isReferenced', large.referenced,
         'files', CASE WHEN NOT large.referenced THEN ${filesOfResult('c.result_content')} END) ORDER BY c.index)
       FROM tool_calls c CROSS JOIN LATERAL (SELECT NOT :keepsResults::boolean AND m.turn_ordinal <= target.references_through
         AND c.status = 'succeeded' AND coalesce(c.result_bytes, 0) > :referencedBytes::int AS referenced) large
       WHERE c.conversation_id = m.conversation_id AND c.turn_ordinal = m.turn_ordinal AND c.iteration = m.iteration
     ) END AS "toolCalls", closing.*
   FROM target CROSS JOIN LATERAL (
     SELECT * FROM messages WHERE conversation_id = target.conversation_id
       AND turn_ordinal >= greatest(target.first_ordinal, target.unread + 1, :afterOrdinal::int + 1)
       AND turn_ordinal <= target.ordinal AND turn_ordinal <> ALL (target.hidden_ordinals) AND role <> 'summary'
   ) m LEFT JOIN LATERAL (
     SELECT true AS "isClosing", t.error AS "endError" FROM turns t
     WHERE t.id = m.turn_id AND m.role = 'assistant' AND m.finish_reason IS NULL
   ) closing ON true
   ORDER BY m.turn_ordinal, m.iteration, m.steered_ordinal`,
);

const findVersion = defineStatement<{ id: string }, VersionRow>(
  'find_agent_version',
  'SELECT * FROM agent_versions WHERE id = :id',
);
