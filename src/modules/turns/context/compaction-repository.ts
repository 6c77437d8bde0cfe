import {
  toSummaryPart,
  type CompactionKind,
  type ContextStart,
  type StartOfTurn,
} from '../../../domain/compaction.ts';
import type { ErrorInfo } from '../../../domain/errors.ts';
import type { EventPayload } from '../../../domain/event.ts';
import type { Usage } from '../../../domain/model.ts';
import { toStorableJson } from '../../../domain/storable.ts';
import { noUsage } from '../../../domain/usage.ts';
import { newId } from '../../../platform/lib/ids.ts';
import { callerSource, chargeCall } from '../../credits/credit-sql.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import { lockTurnRow } from '../turn-rows.ts';
import { addedUsage, toUsageBindings } from '../../credits/usage-columns.ts';

/** A summary that a model has written, and what it has cost. */
export interface NewSummary {
  messageId: string;
  text: string;
  model: string;
  answeredBy: string;
  usage: Usage;
  /** The cost of the call, in credits; null for a model without a price. */
  credits: bigint | null;
}

/** A compaction of a conversation before one of its model calls. */
export interface NewCompaction {
  turnId: string;
  iteration: number;
  /** The process that held the turn when the step began. A compaction of a turn that another one holds is refused. */
  heldBy: string | null;
  /** Counts the compactions before the same model call, from 1. */
  number: number;
  kind: CompactionKind;
  start: Omit<ContextStart, 'summary' | 'made'>;
  /** The first turn that it leaves out or summarizes. */
  fromOrdinal: number;
  tokensBefore: number;
  tokensAfter: number;
  /** How many results of tools it replaces by references. */
  references: number;
  summary: NewSummary | null;
  /** The reason why the turns were left out in place of being summarized. */
  error: ErrorInfo | null;
}

/** Stores how the contexts of conversations were shortened. */
export function createCompactionRepository(query: Query) {
  return {
    /**
     * Stores a compaction once, with its event. False when the turn has ended or is held by another process, and when another
     * attempt has stored one before. Its statements are sent together.
     */
    storeCompaction: async (compaction: NewCompaction): Promise<boolean> => {
      const bindings = toBindings(compaction);
      const [, rows] = await Promise.all([
        query(lockTurnRow, { turnId: compaction.turnId }),
        query(storeCompaction, bindings),
      ]);
      return rows.length > 0;
    },

    /** The starts of the context that compactions before the model calls of a turn have made, oldest first. */
    listStarts: (turnId: string): Promise<StartOfTurn[]> => query(listStarts, { turnId }),

    /**
     * Copies the compactions before the model calls up to one, from the turn whose recorded results a running turn gets. Copies
     * have no cost. True when there were some that it did not have.
     */
    copyRecorded: async (turnId: string, throughIteration: number): Promise<boolean> => {
      const [, rows] = await Promise.all([
        query(lockTurnRow, { turnId }),
        query(copyRecorded, { turnId, throughIteration, noUsage: JSON.stringify({ usage: noUsage }) }),
      ]);
      return rows.length > 0;
    },
  };
}

export type CompactionRepository = ReturnType<typeof createCompactionRepository>;

function toBindings(compaction: NewCompaction) {
  const { turnId, iteration, number, kind, start, fromOrdinal, tokensBefore, tokensAfter } = compaction;
  const { summary, error } = compaction;
  return {
    ...{ id: newId(), turnId, iteration, number, kind, fromOrdinal, tokensBefore, tokensAfter },
    ...toUsageBindings(summary?.usage ?? noUsage),
    throughOrdinal: start.throughOrdinal,
    throughOffset: start.throughOffset,
    referencesThrough: start.referencesThrough,
    inForce: start.summaryId,
    messageId: summary?.messageId ?? null,
    text: summary?.text ?? null,
    model: summary?.model ?? null,
    answeredBy: summary?.answeredBy ?? null,
    credits: summary === null || summary.credits === null ? null : String(summary.credits),
    part: toSummaryPart(compaction),
    heldBy: compaction.heldBy,
    error: error && toStorableJson(error),
    payload: toStorableJson(toPayload(compaction)),
  };
}

type Payload = Omit<EventPayload<'context.compacted'>, 'fromTurnId' | 'throughTurnId'>;

function toPayload({
  iteration,
  kind,
  tokensBefore,
  tokensAfter,
  references,
  summary,
  error,
}: NewCompaction) {
  const credits = summary?.credits ?? null;
  const payload: Payload = {
    ...{ iteration, kind, tokensBefore, tokensAfter, references, error },
    messageId: summary?.messageId ?? null,
    text: summary?.text ?? null,
    model: summary?.answeredBy ?? null,
    ...(summary && { usage: summary.usage }),
    credits: credits === null ? null : String(credits),
  };
  return payload;
}

/**
 * The message of a summary stands before those of the turn that it was made in: the iterations of such messages are negative.
 * The turn is locked by a statement before, so that this one sees what another attempt has stored.
 */
const storeCompaction = defineStatement<ReturnType<typeof toBindings>, unknown>(
  'store_compaction',
  `WITH turn AS (
  UPDATE turns SET
    ${addedUsage}
  WHERE id = :turnId AND status = 'running' AND iterations < :iteration AND held_by IS NOT DISTINCT FROM :heldBy::uuid
    AND NOT EXISTS (SELECT FROM compactions o
    WHERE o.conversation_id = turns.conversation_id AND o.turn_ordinal = turns.ordinal AND o.iteration = :iteration
      AND o.number = :number)
  RETURNING id, ordinal, ${callerSource('turns')}
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
  SELECT :messageId::uuid, conversation_id, id, ordinal, (SELECT coalesce(max(m.iteration), -1000001) + 1 FROM messages m
    WHERE m.conversation_id = turn.conversation_id AND m.turn_ordinal = turn.ordinal AND m.role = 'summary'), 'summary', :text
  FROM turn WHERE :messageId::uuid IS NOT NULL
), compaction AS (
  INSERT INTO compactions (id, conversation_id, turn_id, turn_ordinal, iteration, number, kind, from_ordinal, through_ordinal,
    through_offset, references_through, message_id, tokens_before, tokens_after, model, answered_by, input_tokens,
    cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, usage_estimated, credits, error)
  SELECT :id::uuid, conversation_id, id, ordinal, :iteration::int, :number::int, :kind, :fromOrdinal::int, :throughOrdinal::int,
    :throughOffset::int, :referencesThrough::int, coalesce(:messageId::uuid, :inForce::uuid), :tokensBefore::bigint,
    :tokensAfter::bigint, :model::text, :answeredBy::text, :inputTokens::bigint, :cacheReadTokens::bigint,
    :cacheWriteTokens::bigint, :outputTokens::bigint, :reasoningTokens::bigint, :isEstimated::boolean, :credits::bigint,
    :error::jsonb
  FROM turn
), ${chargeCall({ from: 'turn', part: ':part', kind: 'summary', name: ':model::text', where: ':model::text IS NOT NULL' })}
SELECT append_events(conversation_id, id, jsonb_build_array(jsonb_build_object('type', 'context.compacted', 'payload',
  :payload::jsonb || jsonb_build_object(
    'fromTurnId', (SELECT o.id FROM turns o WHERE o.conversation_id = turn.conversation_id AND o.ordinal >= :fromOrdinal::int
      ORDER BY o.ordinal LIMIT 1),
    'throughTurnId', (SELECT o.id FROM turns o WHERE o.conversation_id = turn.conversation_id
      AND o.ordinal <= greatest(:throughOrdinal::int, :referencesThrough::int) ORDER BY o.ordinal DESC LIMIT 1)))), 0)
FROM turn`,
);

/** Of several compactions before one model call the last one says all that holds. */
const listStarts = defineStatement<{ turnId: string }, StartOfTurn>(
  'list_starts_of_turn',
  `SELECT DISTINCT ON (k.iteration) k.iteration, k.through_ordinal AS "throughOrdinal", k.through_offset AS "throughOffset",
     k.references_through AS "referencesThrough", k.message_id AS "summaryId", s.text AS summary, k.number AS made
   FROM compactions k LEFT JOIN messages s ON s.id = k.message_id
   WHERE k.turn_id = :turnId ORDER BY k.iteration, k.number DESC`,
);

interface CopyBindings {
  turnId: string;
  throughIteration: number;
  noUsage: string;
}

/**
 * A summary that was in force before the turn is in the fork already, and all compactions before one call are copied together.
 * The turn is locked by a statement before, as it is above. Copies are looked up one by one: Postgres joins no rows by an index
 * and a function like `forked_id` where policies hide rows, so `NOT EXISTS` would read both tables whole.
 */
const copyRecorded = defineStatement<CopyBindings, unknown>(
  'copy_recorded_compactions',
  `WITH turn AS (
  SELECT id, conversation_id, ordinal, recorded_from FROM turns WHERE id = :turnId AND status = 'running'
), source AS MATERIALIZED (
  SELECT k.* FROM turn JOIN compactions k ON k.turn_id = turn.recorded_from AND k.iteration <= :throughIteration::int
  WHERE (SELECT o.id FROM compactions o WHERE o.id = forked_id(turn.conversation_id, k.id)) IS NULL
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text, created_at)
  SELECT forked_id(turn.conversation_id, m.id), turn.conversation_id, turn.id, turn.ordinal, m.iteration, m.role, m.text, now()
  FROM turn JOIN messages m ON m.turn_id = turn.recorded_from AND m.id IN (SELECT message_id FROM source)
  WHERE (SELECT o.id FROM messages o WHERE o.id = forked_id(turn.conversation_id, m.id)) IS NULL
), compaction AS (
  INSERT INTO compactions (id, conversation_id, turn_id, turn_ordinal, iteration, number, kind, from_ordinal, through_ordinal,
    through_offset, references_through, message_id, tokens_before, tokens_after, model, answered_by, error)
  SELECT forked_id(turn.conversation_id, k.id), turn.conversation_id, turn.id, turn.ordinal, k.iteration, k.number, k.kind,
    k.from_ordinal, k.through_ordinal, k.through_offset, k.references_through, forked_id(turn.conversation_id, k.message_id),
    k.tokens_before, k.tokens_after, k.model, k.answered_by, k.error
  FROM turn, source k
), told AS (
  SELECT turn.conversation_id, turn.id, jsonb_agg(jsonb_build_object('type', e.type, 'payload', e.payload || jsonb_build_object(
      'messageId', forked_id(turn.conversation_id, (e.payload ->> 'messageId')::uuid),
      'fromTurnId', forked_id(turn.conversation_id, (e.payload ->> 'fromTurnId')::uuid),
      'throughTurnId', forked_id(turn.conversation_id, (e.payload ->> 'throughTurnId')::uuid), 'credits', NULL)
    || CASE WHEN e.payload ? 'usage' THEN :noUsage::jsonb ELSE '{}' END) ORDER BY e.seq) AS events
  FROM turn JOIN events e ON e.turn_id = turn.recorded_from AND e.type = 'context.compacted'
    AND (e.payload ->> 'iteration')::int IN (SELECT iteration FROM source)
  GROUP BY turn.conversation_id, turn.id
)
SELECT append_events(conversation_id, id, events, 0) FROM told`,
);
