import type { CompactionKind } from '../../domain/compaction.ts';
import type { Conversation } from '../../domain/conversation.ts';
import type { ErrorInfo } from '../../domain/errors.ts';
import { modelResultCharacters } from '../../domain/model-context.ts';
import type { CallRecord, FinishReason, Sampling } from '../../domain/model.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { RecordedPart } from '../../domain/recorded-part.ts';
import type { RecordingFilter } from '../../domain/recording.ts';
import type { RefusedAnswer } from '../../domain/response-schema.ts';
import { pickConditions } from '../../platform/database/pick-conditions.ts';
import { defineStatement, type Query, type Statement } from '../../platform/database/statement.ts';
import { partsWithFiles } from '../files/message-files.ts';
import type { ToolCallRow } from '../turns/calls/tool-call-rows.ts';
import type { TurnRow } from '../turns/turn-rows.ts';
import type { UsageColumns } from '../credits/usage-columns.ts';

/** A conversation with the turns of it that the model does not see. */
export interface RecordedConversation extends Pick<Conversation, 'id' | 'title' | 'tags'> {
  createdAt: Date;
  hiddenOrdinals: number[];
}

/** A message of a turn; those that came while it ran have a `steeredOrdinal`. */
export interface MessagePart {
  id: string;
  iteration: number;
  steeredOrdinal: number;
  role: 'user' | 'assistant';
  text: string;
  parts: RecordedPart[] | null;
  finishReason: FinishReason | null;
  providerContent: JsonValue | null;
  refused: RefusedAnswer | null;
  createdAt: Date;
}

/** One model call of a turn. */
export interface UsagePart extends UsageColumns {
  iteration: number;
  model: string;
  answered_by: string;
  tool_choice: CallRecord['toolChoice'] | null;
  left_out: string[] | null;
  sampling: Sampling | null;
  context_from: number | null;
}

type CallColumn =
  | 'id'
  | 'iteration'
  | 'index'
  | 'model_call_id'
  | 'name'
  | 'effect'
  | 'arguments'
  | 'invalid_arguments'
  | 'status'
  | 'attempts'
  | 'result'
  | 'result_bytes'
  | 'error'
  | 'child_turn_id'
  | 'started_at'
  | 'ended_at';

/** One tool call of a turn; `result` is the part of it that the model saw. */
export type CallPart = Pick<ToolCallRow, CallColumn> & {
  type: string | null;
  /** The id under which the model knows a copy; null for its own. */
  shown_id: string | null;
};

/** One time that the context was shortened before a model call of a turn. */
export interface CompactionPart extends UsageColumns {
  iteration: number;
  kind: CompactionKind;
  from_ordinal: number;
  through_ordinal: number;
  through_offset: number;
  references_through: number;
  references_made: number;
  tokens_before: number;
  tokens_after: number;
  /** Null when the turns that it concerns were removed. */
  from_turn_id: string | null;
  through_turn_id: string | null;
  /** The message of the summary that holds, and its text; null when it was removed. */
  summary_id: string | null;
  summary: string | null;
  /** Set for a summary that this compaction has made. */
  model: string | null;
  answered_by: string | null;
  credits: number | null;
  error: ErrorInfo | null;
  created_at: Date;
}

/** Everything of a turn that is not in its own row. */
export interface TurnParts {
  messages: MessagePart[];
  usage: UsagePart[];
  calls: CallPart[];
  compactions: CompactionPart[];
}

/** A page of the conversations that a filter chooses, in the order of their ids. */
export interface ConversationQuery extends RecordingFilter {
  afterId: string | null;
  limit: number;
}

/** Turns that have ended, of one workspace, with everything that their model calls saw. */
export function createRecordingRepository(query: Query) {
  return {
    /** The ids of conversations that have a turn that fits a filter. */
    listConversationIds: async (filter: ConversationQuery): Promise<string[]> => {
      const values = toBindings(filter);
      const rows = await query(listConversationIds(values), values);
      return rows.map(({ id }) => id);
    },

    /** As `listConversationIds`, but so many at random: the same ones for the same seed. */
    sampleConversationIds: async (filter: RecordingFilter & { sample: number }): Promise<string[]> => {
      const { sample: limit, seed = '' } = filter;
      const values = { ...toBindings({ ...filter, afterId: null, limit }), seed };
      const rows = await query(sampleConversationIds(values), values);
      return rows.map(({ id }) => id).sort();
    },

    /** Null when the conversation was deleted. */
    findConversation: async (conversationId: string): Promise<RecordedConversation | null> => {
      const [row] = await query(findConversation, { conversationId });
      return row ?? null;
    },

    /** The turns after one that have ended, oldest first; those whose message another turn took are left out. */
    listTurns: (conversationId: string, afterOrdinal: number, limit: number): Promise<TurnRow[]> =>
      query(listTurns, { conversationId, afterOrdinal, limit }),

    readParts: async ({
      id: turnId,
      conversation_id: conversationId,
      ordinal,
    }: TurnRow): Promise<TurnParts> => {
      const [messages, usage, calls, compactions] = await Promise.all([
        query(listMessages, { conversationId, ordinal }),
        query(listUsage, { turnId }),
        query(listCalls, { turnId, resultCharacters: modelResultCharacters }),
        query(listCompactions, { turnId }),
      ]);
      return { messages, usage, calls, compactions };
    },
  };
}

export type RecordingRepository = ReturnType<typeof createRecordingRepository>;

function toBindings(filter: ConversationQuery) {
  const { agentId, from, to, outcome, tool, tag, conversationIds, afterId, limit } = filter;
  return {
    agentId: agentId ?? null,
    from: from ?? null,
    to: to ?? null,
    outcome: outcome ?? null,
    tool: tool ?? null,
    tag: tag ?? null,
    ids: conversationIds ? JSON.stringify(conversationIds) : null,
    afterId,
    limit,
  };
}

type FilterBindings = ReturnType<typeof toBindings>;

const conversationConditions = {
  tag: 'cardinality(c.tags) > 0 AND c.tags @> ARRAY[:tag::text]',
  ids: 'c.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::uuid))',
  afterId: 'c.id > :afterId::uuid',
};

const turnConditions = {
  agentId: 't.agent_id = :agentId::uuid',
  from: 't.created_at >= :from::timestamptz',
  to: 't.created_at < :to::timestamptz',
  outcome: 't.status = :outcome::text',
  tool: 'EXISTS (SELECT FROM tool_calls k WHERE k.turn_id = t.id AND k.name = :tool::text)',
};

/** The conversations of a filter, as a part of a statement. */
function toChosen(filter: FilterBindings): { suffix: string; text: string } {
  const conversations = pickConditions(conversationConditions, filter);
  const turns = pickConditions(turnConditions, filter);
  return {
    suffix: conversations.suffix + turns.suffix,
    text: `FROM conversations c WHERE c.deleted_at IS NULL ${conversations.text}
     AND EXISTS (SELECT FROM turns t WHERE t.conversation_id = c.id
       AND t.status NOT IN ('queued', 'running', 'waiting_for_approval', 'steered') ${turns.text})`,
  };
}

function listConversationIds(filter: FilterBindings): Statement<FilterBindings, { id: string }> {
  const { suffix, text } = toChosen(filter);
  return defineStatement(
    `list_recorded_conversations${suffix}`,
    `SELECT c.id ${text} ORDER BY c.id LIMIT :limit`,
  );
}

function sampleConversationIds(
  filter: FilterBindings,
): Statement<FilterBindings & { seed: string }, { id: string }> {
  const { suffix, text } = toChosen(filter);
  return defineStatement(
    `sample_recorded_conversations${suffix}`,
    `SELECT c.id ${text} ORDER BY md5(:seed::text || c.id::text) LIMIT :limit`,
  );
}

const findConversation = defineStatement<{ conversationId: string }, RecordedConversation>(
  'find_recorded_conversation',
  `SELECT id, title, tags, created_at AS "createdAt", hidden_ordinals AS "hiddenOrdinals"
   FROM conversations WHERE id = :conversationId AND deleted_at IS NULL`,
);

interface TurnPage {
  conversationId: string;
  afterOrdinal: number;
  limit: number;
}

const listTurns = defineStatement<TurnPage, TurnRow>(
  'list_recorded_turns',
  `SELECT * FROM turns WHERE conversation_id = :conversationId AND ordinal > :afterOrdinal
     AND status NOT IN ('queued', 'running', 'waiting_for_approval', 'steered')
   ORDER BY ordinal LIMIT :limit`,
);

const listMessages = defineStatement<{ conversationId: string; ordinal: number }, MessagePart>(
  'list_recorded_messages',
  `SELECT id, iteration, steered_ordinal AS "steeredOrdinal", role, text, ${partsWithFiles('parts')} AS parts, finish_reason AS "finishReason",
     provider_content AS "providerContent", refused, created_at AS "createdAt"
   FROM messages WHERE conversation_id = :conversationId AND turn_ordinal = :ordinal AND role <> 'summary'
   ORDER BY iteration, steered_ordinal`,
);

const listUsage = defineStatement<{ turnId: string }, UsagePart>(
  'list_recorded_usage',
  `SELECT iteration, model, answered_by, tool_choice, left_out, sampling, context_from, input_tokens, cache_read_tokens,
     cache_write_tokens, output_tokens, reasoning_tokens, usage_estimated
   FROM usage WHERE turn_id = :turnId ORDER BY iteration`,
);

const listCalls = defineStatement<{ turnId: string; resultCharacters: number }, CallPart>(
  'list_recorded_calls',
  `SELECT id, recorded_call_id AS shown_id, iteration, index, model_call_id, name, tool ->> 'type' AS type, effect, arguments, invalid_arguments, status,
     attempts, left(result, :resultCharacters::int) AS result, result_bytes, error, child_turn_id, started_at, ended_at
   FROM tool_calls WHERE turn_id = :turnId ORDER BY iteration, index`,
);

/** The turns that a compaction names are those that are exported. The event of each has the number of results. */
const listCompactions = defineStatement<{ turnId: string }, CompactionPart>(
  'list_recorded_compactions',
  `SELECT k.iteration, k.kind, k.from_ordinal, k.through_ordinal, k.through_offset, k.references_through, k.tokens_before,
     k.tokens_after, k.model, k.answered_by, k.input_tokens, k.cache_read_tokens, k.cache_write_tokens, k.output_tokens,
     k.reasoning_tokens, k.usage_estimated, k.credits, k.error, k.created_at, s.id AS summary_id, s.text AS summary,
     concerned.first AS from_turn_id, concerned.last AS through_turn_id, coalesce((
       SELECT (e.payload ->> 'references')::int FROM events e
       WHERE e.turn_id = k.turn_id AND e.type = 'context.compacted' AND (e.payload ->> 'iteration')::int = k.iteration
       ORDER BY e.seq OFFSET k.number - 1 LIMIT 1), 0) AS references_made
   FROM compactions k LEFT JOIN messages s ON s.id = k.message_id
   CROSS JOIN LATERAL (
     SELECT (array_agg(t.id ORDER BY t.ordinal))[1] AS first, (array_agg(t.id ORDER BY t.ordinal DESC))[1] AS last
     FROM turns t WHERE t.conversation_id = k.conversation_id AND t.ordinal >= k.from_ordinal
       AND t.ordinal <= greatest(k.through_ordinal, k.references_through)
       AND t.status NOT IN ('queued', 'running', 'waiting_for_approval', 'steered')
   ) concerned
   WHERE k.turn_id = :turnId ORDER BY k.iteration, k.number`,
);
