import { toStorableJson } from '../../domain/storable.ts';
import { newId } from '../../platform/lib/ids.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { toUsageBindings } from '../credits/usage-columns.ts';
import type { ImportedConversation, ImportedTurn, ImportedVersion, ImportState } from './imported-rows.ts';

/** Stores turns that have ended. None of their steps runs, and no webhook is notified. */
export function createImportRepository(query: Query) {
  return {
    /** The current version of an agent; null when there is none. */
    findCurrentVersion: async (
      agentId: string,
    ): Promise<{ id: string; agentId: string; name: string } | null> => {
      const [row] = await query(findCurrentVersion, { agentId });
      return row ?? null;
    },

    /** Stores an agent version, and its agent, unless they are there. Answers the ids, and null when the agent was deleted. */
    storeVersion: async (
      version: ImportedVersion,
    ): Promise<{ id: string; agentId: string; name: string } | null> => {
      await query(insertAgent, { agentId: version.agentId, version: version.version });
      await query(insertVersion, toVersionBindings(version));
      const [row] = await query(findVersion, { id: version.id });
      return row ?? null;
    },

    /** Stores a conversation unless it is there, and keeps it from changing until the transaction ends. */
    openConversation: async (
      conversation: ImportedConversation,
      turnId: string,
    ): Promise<ImportState | null> => {
      const { tags, ...values } = conversation;
      await query(insertConversation, {
        ...values,
        tags: toStorableJson(tags),
        auditId: newId(),
      });
      const [row] = await query(lockPlace, { conversationId: conversation.conversationId, turnId });
      return row ?? null;
    },

    /** Returns the first of these ids that is none of a turn of the conversation, or of a summary in it; null for none. */
    findMissing: async (
      conversationId: string,
      named: { turns: string[]; summaries: string[] },
    ): Promise<string | null> => {
      const ids = { turnIds: JSON.stringify(named.turns), summaryIds: JSON.stringify(named.summaries) };
      const [row] = await query(findMissing, { conversationId, ...ids });
      return row?.id ?? null;
    },

    storeTurn: async (turn: ImportedTurn, versionId: string): Promise<void> => {
      await query(insertTurn, toTurnBindings(turn, versionId));
    },
  };
}

const findCurrentVersion = defineStatement<
  { agentId: string },
  { id: string; agentId: string; name: string }
>(
  'find_version_for_import',
  `SELECT v.id, a.id AS "agentId", v.name FROM agents a
   JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
   WHERE a.id = :agentId AND a.deleted_at IS NULL`,
);

const insertAgent = defineStatement<{ agentId: string; version: number }, unknown>(
  'insert_imported_agent',
  `INSERT INTO agents (id, current_version) VALUES (:agentId, :version)
   ON CONFLICT (id) DO UPDATE SET current_version = greatest(agents.current_version, excluded.current_version)`,
);

function toVersionBindings(version: ImportedVersion) {
  const tools = toStorableJson(version.tools);
  return {
    id: version.id,
    auditId: newId(),
    agentId: version.agentId,
    version: version.version,
    name: version.name,
    model: version.model,
    instructions: version.instructions,
    tools,
    toolBytes: Buffer.byteLength(tools),
    limits: toStorableJson(version.limits),
    rules: toStorableJson(version.rules),
    toolCallsInText: version.toolCallsInText,
  };
}

const insertVersion = defineStatement<ReturnType<typeof toVersionBindings>, unknown>(
  'insert_imported_version',
  `WITH added AS (
   INSERT INTO agent_versions (id, agent_id, version, name, model, instructions, available_tools, tool_bytes, limits, rules,
     tool_calls_in_text, execution)
   VALUES (:id, :agentId, :version, :name, :model, :instructions, :tools::jsonb, :toolBytes, :limits::jsonb, :rules::jsonb,
     :toolCallsInText, 'inspectable')
   ON CONFLICT (id) DO NOTHING RETURNING agent_id, version
   )
   INSERT INTO audit_pending (id, type, subject_id, payload)
   SELECT :auditId::uuid, 'agent.configured', agent_id, jsonb_build_object('change', 'imported', 'version', version)
   FROM added`,
);

const findVersion = defineStatement<{ id: string }, { id: string; agentId: string; name: string }>(
  'find_imported_version',
  `SELECT v.id, v.agent_id AS "agentId", v.name FROM agent_versions v JOIN agents a ON a.id = v.agent_id
   WHERE v.id = :id AND a.deleted_at IS NULL`,
);

type ConversationBindings = Omit<ImportedConversation, 'tags'> & { tags: string; auditId: string };

const insertConversation = defineStatement<ConversationBindings, unknown>(
  'insert_imported_conversation',
  `WITH added AS (
   INSERT INTO conversations (id, agent_id, title, tags, source, created_at, person)
   SELECT :conversationId, :agentId, :title, ARRAY(SELECT jsonb_array_elements_text(:tags::jsonb)), 'holdfast',
     :createdAt::timestamptz, :person
   ON CONFLICT (id) DO NOTHING RETURNING id
   )
   INSERT INTO audit_pending (id, type, subject_id, payload)
   SELECT :auditId::uuid, 'conversation.imported', id, jsonb_build_object('agent_id', :agentId::uuid) FROM added`,
);

const lockPlace = defineStatement<{ conversationId: string; turnId: string }, ImportState>(
  'lock_import_place',
  `SELECT c.deleted_at IS NOT NULL AS "isDeleted", c.source IS NOT NULL AS "isImported",
     EXISTS (SELECT FROM turns t WHERE t.conversation_id = c.id
       AND t.status IN ('queued', 'running', 'waiting_for_approval')) AS "isBusy",
     c.last_turn_ordinal AS "lastOrdinal", EXISTS (SELECT FROM turns t WHERE t.id = :turnId) AS "hasTurn"
   FROM conversations c WHERE c.id = :conversationId FOR UPDATE`,
);

/** Looks up each id separately: with `NOT EXISTS` the statement would read all messages of the conversation. */
const findMissing = defineStatement<
  { conversationId: string; turnIds: string; summaryIds: string },
  { id: string }
>(
  'find_missing_of_import',
  `SELECT named.id FROM (
     SELECT value::uuid AS id, true AS of_turn FROM jsonb_array_elements_text(:turnIds::jsonb)
     UNION ALL SELECT value::uuid, false FROM jsonb_array_elements_text(:summaryIds::jsonb)
   ) named
   WHERE CASE WHEN of_turn THEN (SELECT t.conversation_id = :conversationId FROM turns t WHERE t.id = named.id)
     ELSE (SELECT m.conversation_id = :conversationId AND m.role = 'summary' FROM messages m WHERE m.id = named.id)
     END IS NOT TRUE
   LIMIT 1`,
);

function toTurnBindings(turn: ImportedTurn, versionId: string) {
  const { usage, error, messages, calls, modelCalls, compactions, events, ...rest } = turn;
  const { responseSchema, answerJson, ...columns } = rest;
  return {
    ...columns,
    ...toUsageBindings(usage),
    versionId,
    error: error && toStorableJson(error),
    responseSchema: responseSchema && toStorableJson(responseSchema),
    answerJson: answerJson && toStorableJson(answerJson),
    messages: toStorableJson(messages),
    calls: toStorableJson(calls),
    modelCalls: toStorableJson(modelCalls),
    compactions: toStorableJson(compactions),
    events: toStorableJson(events),
  };
}

/**
 * Stores the rows as the steps of a turn do, with the times of the recording. A turn and the one that started it are linked
 * when the second of them is stored, in either order.
 */
const insertTurn = defineStatement<ReturnType<typeof toTurnBindings>, unknown>(
  'insert_imported_turn',
  `WITH target AS (
  UPDATE conversations SET last_turn_ordinal = :ordinal::int, characters = characters + :characters::int,
    last_event_seq = last_event_seq + jsonb_array_length(:events::jsonb),
    hidden_ordinals = CASE WHEN :hidden::boolean THEN hidden_ordinals || :ordinal::int ELSE hidden_ordinals END
  WHERE id = :conversationId
  RETURNING id, characters - :characters::int AS characters_before,
    last_event_seq - jsonb_array_length(:events::jsonb) AS seq_before
), turn AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, characters_before, request_hash, timeout_ms,
    message_id, status, answer, answer_json, response_schema, error, iterations, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
    reasoning_tokens, usage_estimated, steered, rolled_back, parent_turn_id, parent_tool_call_id, created_at, started_at, settled_at,
    imported_at)
  SELECT :turnId::uuid, target.id, v.agent_id, v.id, :ordinal::int, target.characters_before, :requestHash, 1, :messageId::uuid,
    :status, :answer, :answerJson::json, :responseSchema::json, :error::jsonb, :iterations::int, :inputTokens::bigint, :cacheReadTokens::bigint,
    :cacheWriteTokens::bigint, :outputTokens::bigint, :reasoningTokens::bigint, :isEstimated::boolean, :steered::int, :hidden::boolean,
    (SELECT p.id FROM turns p WHERE p.id = :parentTurnId::uuid),
    (SELECT p.id FROM tool_calls p WHERE p.id = :parentCallId::uuid), :createdAt::timestamptz, :startedAt::timestamptz,
    :settledAt::timestamptz, now()
  FROM target, agent_versions v WHERE v.id = :versionId
  RETURNING id, conversation_id, ordinal
), linked AS (
  UPDATE tool_calls SET child_turn_id = :turnId::uuid WHERE id = :parentCallId::uuid AND child_turn_id IS NULL
), adopted AS (
  UPDATE turns SET parent_turn_id = :turnId::uuid, parent_tool_call_id = c.id
  FROM jsonb_to_recordset(:calls::jsonb) AS c (id uuid, "childTurnId" uuid)
  WHERE turns.id = c."childTurnId" AND turns.parent_turn_id IS NULL
), parts AS MATERIALIZED (
  SELECT m.id, listed.position, listed.part - 'file' AS part, coalesce(
    (SELECT f.id FROM files f WHERE f.id = (listed.part ->> 'fileId')::uuid AND f.created_by IS NOT NULL AND f.is_whole),
    (SELECT f.id FROM files f WHERE f.created_by IS NOT NULL AND f.is_whole AND f.sha256 = listed.part #>> '{file,sha256}' ORDER BY f.id LIMIT 1)) AS file_id
  FROM jsonb_to_recordset(:messages::jsonb) AS m (id uuid, parts jsonb), jsonb_array_elements(
    CASE WHEN jsonb_typeof(m.parts) = 'array' THEN m.parts END) WITH ORDINALITY AS listed (part, position)
), texts AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, steered_ordinal, role, text, parts,
    finish_reason, provider_content, refused, created_at)
  SELECT m.id, turn.conversation_id, turn.id, turn.ordinal, m.iteration, m."steeredOrdinal", m.role, m.text,
    (SELECT jsonb_agg(part || CASE WHEN file_id IS NULL THEN '{}' ELSE jsonb_build_object('fileId', file_id) END ORDER BY position)
     FROM parts WHERE parts.id = m.id), m."finishReason", nullif(m."providerContent", 'null'::jsonb),
    nullif(m.refused, 'null'::jsonb), m."createdAt"
  FROM turn, jsonb_to_recordset(:messages::jsonb) AS m (id uuid, iteration int, "steeredOrdinal" int, role text, text text,
    "finishReason" text, "providerContent" jsonb, refused jsonb, "createdAt" timestamptz)
), file_uses_made AS (
  INSERT INTO file_uses (turn_id, file_id) SELECT DISTINCT turn.id, parts.file_id FROM turn, parts WHERE parts.file_id IS NOT NULL
), used AS (
  INSERT INTO usage (id, turn_id, iteration, model, answered_by, tool_choice, left_out, sampling, context_from, input_tokens,
    cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, usage_estimated)
  SELECT u.id, turn.id, u.iteration, u.model, u."answeredBy", u."toolChoice", nullif(u."leftOut", 'null'::jsonb),
    nullif(u.sampling, 'null'::jsonb), u."contextFrom", u."inputTokens", u."cacheReadTokens", u."cacheWriteTokens",
    u."outputTokens", u."reasoningTokens", coalesce(u."isEstimated", false)
  FROM turn, jsonb_to_recordset(:modelCalls::jsonb) AS u (id uuid, iteration int, model text, "answeredBy" text,
    "toolChoice" text, "leftOut" jsonb, sampling jsonb, "contextFrom" int, "inputTokens" bigint, "cacheReadTokens" bigint,
    "cacheWriteTokens" bigint, "outputTokens" bigint, "reasoningTokens" bigint, "isEstimated" boolean)
), compacted AS (
  INSERT INTO compactions (id, conversation_id, turn_id, turn_ordinal, iteration, number, kind, from_ordinal, through_ordinal,
    through_offset, references_through, message_id, tokens_before, tokens_after, model, answered_by, input_tokens,
    cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, usage_estimated, credits, error, created_at)
  SELECT k.id, turn.conversation_id, turn.id, turn.ordinal, k.iteration, k.number, k.kind, k."fromOrdinal", k."throughOrdinal",
    k."throughOffset", k."referencesThrough", k."messageId", k."tokensBefore", k."tokensAfter", k.model, k."answeredBy",
    k."inputTokens", k."cacheReadTokens", k."cacheWriteTokens", k."outputTokens", k."reasoningTokens",
    coalesce(k."isEstimated", false), k.credits,
    nullif(k.error, 'null'::jsonb), k."createdAt"
  FROM turn, jsonb_to_recordset(:compactions::jsonb) AS k (id uuid, iteration int, number int, kind text, "fromOrdinal" int,
    "throughOrdinal" int, "throughOffset" int, "referencesThrough" int, "messageId" uuid, "tokensBefore" bigint,
    "tokensAfter" bigint, model text, "answeredBy" text, "inputTokens" bigint, "cacheReadTokens" bigint,
    "cacheWriteTokens" bigint, "outputTokens" bigint, "reasoningTokens" bigint, "isEstimated" boolean, credits bigint, error jsonb,
    "createdAt" timestamptz)
), called AS (
  INSERT INTO tool_calls (id, conversation_id, turn_id, turn_ordinal, iteration, index, key, model_call_id, name, tool, effect,
    arguments, invalid_arguments, arguments_hash, status, attempts, result, result_bytes, result_truncated, error, child_turn_id,
    started_at, ended_at, recorded_call_id)
  SELECT c.id, turn.conversation_id, turn.id, turn.ordinal, c.iteration, c.index, c.key, c."modelCallId", c.name,
    nullif(c.tool, 'null'::jsonb), c.effect, nullif(c.arguments, 'null'::jsonb), c."invalidArguments", c."argumentsHash",
    c.status, c.attempts, c.result, c."resultBytes", coalesce(c."resultBytes" > octet_length(c.result), false), nullif(c.error, 'null'::jsonb),
    (SELECT t.id FROM turns t WHERE t.id = c."childTurnId"), c."startedAt", c."endedAt", c."recordedCallId"
  FROM turn, jsonb_to_recordset(:calls::jsonb) AS c (id uuid, "recordedCallId" uuid, iteration int, index int, key text, "modelCallId" text,
    name text, tool jsonb, effect text, arguments jsonb, "invalidArguments" text, "argumentsHash" text, status text,
    attempts int, result text, "resultBytes" int, error jsonb, "childTurnId" uuid, "startedAt" timestamptz, "endedAt" timestamptz)
)
INSERT INTO events (conversation_id, seq, turn_id, type, payload, created_at)
SELECT target.id, target.seq_before + item.position, :turnId::uuid, item.event ->> 'type', item.event -> 'payload',
  (item.event ->> 'createdAt')::timestamptz
FROM target, jsonb_array_elements(:events::jsonb) WITH ORDINALITY AS item (event, position)`,
);
