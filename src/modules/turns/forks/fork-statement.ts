import { noUsage } from '../../../domain/usage.ts';
import { defineStatement } from '../../../platform/database/statement.ts';
import { unowned, type TurnRow, type VersionColumns } from '../turn-rows.ts';

/** The values of {@link insertFork}; those of the turn are used only when one runs. */
export interface ForkValues {
  forkId: string;
  parentId: string;
  parentTurnId: string;
  parentOrdinal: number;
  /** The last step that is kept of the turn; null for a fork from its message. */
  iteration: number | null;
  agentId: string;
  versionId: string;
  forkHash: string;
  /** JSON: the calls whose results are replaced, as `{ id, result, bytes, shown }`. */
  edits: string;
  runs: boolean;
  recorded: boolean;
  turnId: string;
  startedBy: string;
  /** The normal form of the name of the person to whom the fork belongs; null for that of its parent. */
  person: string | null;
  timeoutMs: number;
  startTimeoutMs: number;
  messageId: string;
  message: string;
  /** JSON: the parts of the message; null when it is text only. */
  parts: string | null;
  /** JSON: the payload of `turn.started`. */
  started: string;
  auditId: string;
  auditPayload: string;
}

const freeOfCost = JSON.stringify({
  usage: noUsage,
});

/** Copies belong to a turn that is copied whole, or to the first steps of the one that runs. */
const toCopiedTurn = (turn: string) =>
  `CASE WHEN ${turn} = :parentTurnId::uuid THEN :turnId::uuid ELSE forked_id(:forkId, ${turn}) END`;

/** The turns before the forked one, and those whose messages they took while they ran. */
const copiedTurns = `forked AS (
  SELECT * FROM turns WHERE id = :parentTurnId
), source AS MATERIALIZED (
  SELECT t.id, t.ordinal FROM turns t
  WHERE t.conversation_id = :parentId AND (t.ordinal < :parentOrdinal::int
    OR t.steered_into IN (SELECT s.id FROM turns s WHERE s.conversation_id = :parentId AND s.ordinal < :parentOrdinal::int)
    OR t.steered_into = :parentTurnId AND t.ordinal IN (SELECT m.steered_ordinal FROM messages m
      WHERE m.conversation_id = :parentId AND m.turn_ordinal = :parentOrdinal::int AND m.iteration <= :iteration::int))
), kept AS MATERIALIZED (
  SELECT count(*) FILTER (WHERE m.steered_ordinal > 0) AS steered,
    coalesce(sum(length(m.text)) FILTER (WHERE m.role <> 'summary'), 0) + (
    SELECT coalesce(sum(length(coalesce(c.arguments::text, '')) + length(coalesce(c.result, c.error ->> 'message', ''))), 0)
    FROM tool_calls c WHERE c.conversation_id = :parentId AND c.turn_ordinal = :parentOrdinal::int
      AND c.iteration <= :iteration::int) AS characters
  FROM messages m WHERE m.conversation_id = :parentId AND m.turn_ordinal = :parentOrdinal::int
    AND m.iteration <= :iteration::int
), place AS (
  SELECT last, CASE WHEN :iteration::int IS NULL THEN last + 1 ELSE :parentOrdinal::int END AS ordinal
  FROM (SELECT coalesce(max(ordinal), 0) AS last FROM source) AS sources
), edited AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(:edits::jsonb) AS e (id uuid, result text, bytes int, shown text)
)`;

/** Events keep their order and get numbers without gaps. Those of actions stay with the parent, as the actions do. */
const copiedEvents = `numbered AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY e.seq) AS seq, ${toCopiedTurn('e.turn_id')} AS turn_id,
    CASE WHEN edited.id IS NULL OR e.type = 'tool.started' THEN e.type ELSE 'tool.executed' END AS type,
    e.payload
      || CASE WHEN e.payload ? 'messageId' AND e.payload ->> 'messageId' IS NOT NULL THEN jsonb_build_object(
        'messageId', forked_id(:forkId, (e.payload ->> 'messageId')::uuid)) ELSE '{}' END
      || CASE WHEN e.payload ? 'toolCallId' THEN jsonb_build_object(
        'toolCallId', forked_id(:forkId, (e.payload ->> 'toolCallId')::uuid)) ELSE '{}' END
      || CASE WHEN e.type = 'context.compacted' THEN jsonb_build_object(
        'fromTurnId', forked_id(:forkId, (e.payload ->> 'fromTurnId')::uuid),
        'throughTurnId', forked_id(:forkId, (e.payload ->> 'throughTurnId')::uuid), 'credits', NULL) ELSE '{}' END
      || CASE WHEN e.payload ? 'steeredTurnId' THEN jsonb_build_object(
        'steeredTurnId', forked_id(:forkId, (e.payload ->> 'steeredTurnId')::uuid)) ELSE '{}' END
      || CASE WHEN e.payload ? 'toolCalls' THEN jsonb_build_object('toolCalls', (
        SELECT coalesce(jsonb_agg(call || jsonb_build_object(
          'toolCallId', forked_id(:forkId, (call ->> 'toolCallId')::uuid)) ORDER BY position), '[]')
        FROM jsonb_array_elements(e.payload -> 'toolCalls') WITH ORDINALITY AS calls (call, position))) ELSE '{}' END
      || CASE WHEN e.payload ? 'usage' THEN '${freeOfCost}'::jsonb ELSE '{}' END
      || CASE WHEN edited.id IS NOT NULL AND e.type <> 'tool.started' THEN jsonb_build_object(
        'durationMs', 0, 'resultPreview', edited.shown) ELSE '{}' END AS payload,
    e.created_at
  FROM events e LEFT JOIN edited ON edited.id::text = e.payload ->> 'toolCallId'
  WHERE e.conversation_id = :parentId AND e.type NOT LIKE 'action.%' AND (e.turn_id IN (SELECT id FROM source)
    OR e.turn_id = :parentTurnId AND e.type <> 'turn.settled' AND :iteration::int
      >= coalesce((e.payload ->> 'iteration')::int - (e.type = 'message.steered')::int, 0))
)`;

/** The rows of turns, messages, tool calls and model calls. Copies have no tokens: those were counted once. */
const copiedRows = `turns_copied AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, characters_before, request_hash, timeout_ms,
    start_timeout_ms, status, answer, answer_json, response_schema, error, iterations, message_id, steered, steered_into, rolled_back, started_by,
    start_seen, recorded_from, created_at, started_at, deadline_at, settled_at, imported_at, copied_from, copied_iterations)
  SELECT forked_id(:forkId, t.id), :forkId, t.agent_id, t.agent_version_id, t.ordinal, t.characters_before, t.request_hash,
    t.timeout_ms, t.start_timeout_ms, t.status, t.answer, t.answer_json, t.response_schema, t.error, t.iterations, forked_id(:forkId, t.message_id), t.steered,
    ${toCopiedTurn('t.steered_into')}, t.rolled_back, t.started_by, true, t.recorded_from, t.created_at, t.started_at,
    t.deadline_at, t.settled_at, now(), t.id, t.iterations
  FROM source JOIN turns t ON t.id = source.id
), texts AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, steered_ordinal, role, text, parts, reasoning,
    finish_reason, provider_content, refused, created_at)
  SELECT forked_id(:forkId, m.id), :forkId, ${toCopiedTurn('m.turn_id')}, m.turn_ordinal, m.iteration, m.steered_ordinal,
    m.role, m.text, m.parts, m.reasoning, m.finish_reason, m.provider_content, m.refused, m.created_at
  FROM messages m WHERE m.conversation_id = :parentId AND (m.turn_ordinal IN (SELECT ordinal FROM source)
    OR m.turn_ordinal = :parentOrdinal::int AND m.iteration <= :iteration::int AND (m.role <> 'summary'
      OR m.id IN (SELECT k.message_id FROM compactions k WHERE k.conversation_id = :parentId
        AND k.turn_ordinal = :parentOrdinal::int AND k.iteration <= :iteration::int)))
), compacted AS (
  INSERT INTO compactions (id, conversation_id, turn_id, turn_ordinal, iteration, number, kind, from_ordinal, through_ordinal,
    through_offset, references_through, message_id, tokens_before, tokens_after, model, answered_by, error, created_at)
  SELECT forked_id(:forkId, k.id), :forkId, ${toCopiedTurn('k.turn_id')}, k.turn_ordinal, k.iteration, k.number, k.kind,
    k.from_ordinal, k.through_ordinal, k.through_offset, k.references_through, forked_id(:forkId, k.message_id),
    k.tokens_before, k.tokens_after, k.model, k.answered_by, k.error, k.created_at
  FROM compactions k WHERE k.conversation_id = :parentId AND (k.turn_ordinal IN (SELECT ordinal FROM source)
    OR k.turn_ordinal = :parentOrdinal::int AND k.iteration <= :iteration::int)
), uses AS (
  INSERT INTO file_uses (turn_id, file_id)
  SELECT forked_id(:forkId, u.turn_id), u.file_id FROM source JOIN file_uses u ON u.turn_id = source.id
), calls AS (
  INSERT INTO tool_calls (id, conversation_id, turn_id, turn_ordinal, iteration, index, key, model_call_id, name, tool, effect,
    arguments, invalid_arguments, arguments_hash, connector, target, counted, status, attempts, result, result_bytes,
    result_truncated, result_content, error, started_at, ended_at, answered_by, recorded_call_id)
  SELECT forked_id(:forkId, c.id), :forkId, ${toCopiedTurn('c.turn_id')}, c.turn_ordinal, c.iteration, c.index,
    'fork ' || forked_id(:forkId, c.id), c.model_call_id, c.name, c.tool, c.effect, c.arguments, c.invalid_arguments,
    c.arguments_hash, c.connector, c.target, c.counted, CASE WHEN e.id IS NOT NULL THEN 'succeeded'
      WHEN c.status IN ('requested', 'started') THEN 'unknown' ELSE c.status END,
    c.attempts, CASE WHEN e.id IS NULL THEN c.result ELSE e.result END,
    CASE WHEN e.id IS NULL THEN c.result_bytes ELSE e.bytes END, e.id IS NULL AND c.result_truncated,
    CASE WHEN e.id IS NULL THEN c.result_content END, CASE WHEN e.id IS NULL THEN c.error END, c.started_at,
    coalesce(c.ended_at, now()), CASE WHEN e.id IS NOT NULL THEN 'edited' ELSE coalesce(c.answered_by, 'copy') END,
    coalesce(c.recorded_call_id, c.id)
  FROM tool_calls c LEFT JOIN edited e ON e.id = c.id
  WHERE c.conversation_id = :parentId AND (c.turn_ordinal IN (SELECT ordinal FROM source)
    OR c.turn_ordinal = :parentOrdinal::int AND c.iteration <= :iteration::int)
), used AS (
  INSERT INTO usage (id, turn_id, iteration, model, answered_by, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, tool_choice, left_out, sampling, context_from, started_at, duration_ms, created_at)
  SELECT forked_id(:forkId, u.id), ${toCopiedTurn('u.turn_id')}, u.iteration, u.model, u.answered_by, 0, 0, 0, 0, 0,
    u.tool_choice, u.left_out, u.sampling, u.context_from, u.started_at, u.duration_ms, u.created_at
  FROM (SELECT id, NULL::int AS last FROM source UNION ALL SELECT :parentTurnId::uuid, coalesce(:iteration::int, -1)) AS t
  JOIN usage u ON u.turn_id = t.id AND (t.last IS NULL OR u.iteration <= t.last)
)`;

/**
 * The rules that hold for live calls besides those of the turn's version: those of the turns above the forked one, and
 * those that the agent has now. The source of these is the turn itself, so that its calls are counted once.
 */
const liveRuleSources = `forked.rule_sources || coalesce((
      SELECT jsonb_build_array(jsonb_build_object('turnId', :turnId::uuid, 'agentId', a.id, 'versionId', current.id,
        'inherits', true))
      FROM agents a JOIN agent_versions current ON current.agent_id = a.id AND current.version = a.current_version
      WHERE a.id = v.agent_id AND current.id <> v.id
    ), '[]')`;

/** The turn that runs: a new one with the message, or one that begins with the kept steps. */
const newTurn = `turn AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, characters_before, request_hash, timeout_ms,
    start_timeout_ms, started_by, message_id, response_schema, status, iterations, steered, copied_iterations, recorded_from,
    rule_sources, direct_owner, started_at, deadline_at)
  SELECT :turnId::uuid, :forkId, v.agent_id, v.id, place.ordinal, forked.characters_before, :forkHash, limits.timeout_ms,
    limits.start_timeout_ms, :startedBy::jsonb,
    CASE WHEN :iteration::int IS NULL THEN :messageId::uuid ELSE forked_id(:forkId, forked.message_id) END,
    forked.response_schema, 'running',
    coalesce(:iteration::int, 0), kept.steered, coalesce(:iteration::int, 0),
    CASE WHEN :recorded::boolean THEN :parentTurnId::uuid END,
    CASE WHEN :recorded::boolean THEN '[]' ELSE ${liveRuleSources} END,
    CASE WHEN v.execution = 'direct' AND NOT :recorded::boolean THEN '${unowned}'::uuid END, now(),
    now() + make_interval(secs => limits.timeout_ms / 1000.0)
  FROM forked, place, kept, agent_versions v CROSS JOIN LATERAL (
    SELECT coalesce((v.limits ->> 'turnTimeoutMs')::int, :timeoutMs::int) AS timeout_ms,
      coalesce((v.limits ->> 'startTimeoutMs')::int,
        (SELECT w.start_timeout_ms FROM workspaces w WHERE w.id = v.workspace_id), :startTimeoutMs::int) AS start_timeout_ms
  ) AS limits
  WHERE v.id = :versionId AND :runs::boolean
  RETURNING *
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text, parts)
  SELECT :messageId::uuid, conversation_id, id, ordinal, 0, 'user', :message, :parts::jsonb FROM turn
  WHERE :iteration::int IS NULL
), own_uses AS (
  INSERT INTO file_uses (turn_id, file_id)
  SELECT turn.id, u.file_id FROM turn, file_uses u WHERE u.turn_id = :parentTurnId::uuid AND :iteration::int IS NOT NULL
  UNION
  SELECT turn.id, f.id FROM turn, jsonb_array_elements(:parts::jsonb) AS part JOIN files f ON f.id = (part ->> 'fileId')::uuid
  WHERE :iteration::int IS NULL
), logged AS (
  INSERT INTO events (conversation_id, seq, turn_id, type, payload, created_at)
  SELECT :forkId::uuid, seq, turn_id, type, payload, created_at FROM numbered
  UNION ALL SELECT :forkId::uuid, (SELECT count(*) + 1 FROM numbered), turn.id, 'turn.started', :started::jsonb, now()
  FROM turn WHERE :iteration::int IS NULL
)`;

/**
 * Copies the beginning of a conversation, and stores the turn that runs after it, by one statement: it sees the parent at
 * one point in time. Answers the turn; nothing for a fork that runs none.
 */
export const insertFork = defineStatement<ForkValues, TurnRow & VersionColumns>(
  'insert_fork',
  `WITH ${copiedTurns}, ${copiedEvents}, conversation AS (
  INSERT INTO conversations (id, agent_id, title, token_ratios, last_event_seq, last_turn_ordinal, characters, hidden_ordinals,
    parent_conversation_id, parent_turn_id, parent_iteration, parent_ordinal, fork_ordinal, fork_hash, person)
  SELECT :forkId::uuid, :agentId::uuid, p.title, p.token_ratios,
    (SELECT count(*) FROM numbered) + (:runs::boolean AND :iteration::int IS NULL)::int,
    CASE WHEN :runs::boolean THEN greatest(place.last, place.ordinal) ELSE place.last END,
    forked.characters_before + kept.characters
      + CASE WHEN :runs::boolean AND :iteration::int IS NULL THEN length(:message::text) ELSE 0 END,
    ARRAY(SELECT unnest(p.hidden_ordinals) INTERSECT SELECT ordinal FROM source),
    p.id, :parentTurnId::uuid, :iteration::int, :parentOrdinal::int, place.ordinal, :forkHash, coalesce(:person, p.person)
  FROM conversations p, forked, place, kept WHERE p.id = :parentId
), ${copiedRows}, ${newTurn}, audited AS (
  INSERT INTO audit_pending (id, type, subject_id, payload)
  VALUES (:auditId, 'conversation.forked', :forkId, :auditPayload::jsonb)
)
SELECT turn.*, v.name AS agent_name, v.model, v.execution, v.limits
FROM turn JOIN agent_versions v ON v.id = turn.agent_version_id`,
);
