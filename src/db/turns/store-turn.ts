import { HoldfastError } from '../../domain/errors.ts';
import { defaultLimits } from '../../domain/limits.ts';
import { toOneLine } from '../../domain/text.ts';
import type { Turn, TurnInput } from '../../domain/turn.ts';
import type { AgentTurnInput } from '../../../workflows/contract/turn-steps.ts';
import { defineStatement, type Query } from '../statement.ts';
import {
  conversationNotFound,
  findTurnRow,
  toAgentTurnInput,
  toTurn,
  type TurnRow,
  type VersionColumns,
} from './turn-rows.ts';
import { findTurnStart, insertUserMessage, toMessageBindings, toTurnStart } from './turn-start.ts';

/** A turn that is to be stored under an id of its caller's choice. */
export interface NewTurn {
  turnId: string;
  /** A hash of the whole request: the same turn id with another hash is another request. */
  requestHash: string;
  conversationId: string;
  input: TurnInput;
}

/** A turn that is stored now. */
export interface StoredTurn {
  /** False when an earlier submission has stored the turn. */
  accepted: boolean;
  turn: Turn;
  /** The input of its workflow; null while the turn is queued, and when it is over. */
  start: AgentTurnInput | null;
}

/**
 * Stores a turn with its message and first event, unless it is stored. Its statements depend on each other.
 * @throws HoldfastError `NOT_FOUND`, `CONFLICT`, `TURN_RUNNING` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function storeTurn(query: Query, newTurn: NewTurn): Promise<StoredTurn> {
  const { turnId, conversationId, input } = newTurn;
  const [[existing], [target]] = await Promise.all([
    query(findTurnRow, { turnId }),
    query(lockConversation, { conversationId }),
  ]);
  if (existing) return toRepeated(query, existing, newTurn);
  if (!target) throw conversationNotFound(conversationId);
  if (target.deleted_at) throw new HoldfastError('CONFLICT', 'The agent of this conversation was deleted.');
  const [row] = await query(insertTurn, toTurnBindings(newTurn, target));
  if (row) {
    const isRunning = row.status === 'running';
    const start = isRunning ? toAgentTurnInput(row, target, toOneLine(input.message)) : null;
    return { accepted: true, turn: toTurn(row), start };
  }
  const [stored] = await query(findTurnRow, { turnId });
  if (stored) return toRepeated(query, stored, newTurn);
  throw await createBusyError(query, conversationId);
}

interface TargetRow extends VersionColumns {
  agent_id: string;
  version_id: string;
  last_turn_ordinal: number;
  characters: number;
  start_timeout_ms: number | null;
  deleted_at: Date | null;
}

/** Numbers the next turn; the row's lock makes all submissions to one conversation wait for each other. */
const lockConversation = defineStatement<{ conversationId: string }, TargetRow>(
  'lock_conversation_for_turn',
  `UPDATE conversations c SET last_turn_ordinal = last_turn_ordinal + 1
   FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
   WHERE c.id = :conversationId AND c.deleted_at IS NULL AND a.id = c.agent_id
   RETURNING c.agent_id, c.last_turn_ordinal, c.characters, a.deleted_at,
     (SELECT w.start_timeout_ms FROM workspaces w WHERE w.id = c.workspace_id) AS start_timeout_ms,
     v.id AS version_id, v.name AS agent_name, v.model, v.execution, v.limits`,
);

function toTurnBindings({ turnId, requestHash, conversationId, input }: NewTurn, target: TargetRow) {
  return {
    ...toMessageBindings(input.message),
    turnId,
    conversationId,
    requestHash,
    agentId: target.agent_id,
    versionId: target.version_id,
    ordinal: target.last_turn_ordinal,
    charactersBefore: target.characters,
    timeoutMs: target.limits.turnTimeoutMs ?? defaultLimits.turnTimeoutMs,
    startTimeoutMs: target.limits.startTimeoutMs ?? target.start_timeout_ms ?? defaultLimits.startTimeoutMs,
    enqueue: input.onBusy === 'enqueue',
  };
}

const insertTurn = defineStatement<ReturnType<typeof toTurnBindings>, TurnRow>(
  'insert_turn',
  `WITH busy AS (
  SELECT EXISTS (SELECT FROM turns WHERE conversation_id = :conversationId
    AND status IN ('queued', 'running', 'waiting_for_approval')) AS yes
), turn AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, characters_before, request_hash,
    timeout_ms, start_timeout_ms, status, started_at, deadline_at)
  SELECT :turnId::uuid, :conversationId::uuid, :agentId::uuid, :versionId::uuid, :ordinal::int,
    :charactersBefore::bigint, :requestHash, :timeoutMs::int, :startTimeoutMs::int, CASE WHEN yes THEN 'queued' ELSE 'running' END,
    CASE WHEN yes THEN NULL ELSE now() END,
    CASE WHEN yes THEN NULL ELSE now() + make_interval(secs => :timeoutMs::int / 1000.0) END
  FROM busy WHERE :enqueue::boolean OR NOT yes
  ON CONFLICT (id) DO NOTHING
  RETURNING *
), message AS (${insertUserMessage}
), logged AS (
  SELECT append_events(conversation_id, id,
    CASE status WHEN 'queued' THEN :queued::jsonb ELSE :started::jsonb END, :characters::int) FROM turn
)
SELECT turn.* FROM turn, logged`,
);

async function toRepeated(query: Query, row: TurnRow, { requestHash }: NewTurn): Promise<StoredTurn> {
  if (row.request_hash !== requestHash) {
    throw new HoldfastError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Use a new key for a new message.',
      { details: { turnId: row.id } },
    );
  }
  const [start] = row.status === 'running' ? await query(findTurnStart, { turnId: row.id }) : [];
  return { accepted: false, turn: toTurn(row), start: start ? toTurnStart(start) : null };
}

const findOpenTurn = defineStatement<{ conversationId: string }, { id: string }>(
  'find_open_turn',
  `SELECT id FROM turns
   WHERE conversation_id = :conversationId AND status IN ('queued', 'running', 'waiting_for_approval')
   ORDER BY ordinal LIMIT 1`,
);

async function createBusyError(query: Query, conversationId: string): Promise<HoldfastError> {
  const [open] = await query(findOpenTurn, { conversationId });
  return new HoldfastError(
    'TURN_RUNNING',
    'A turn is running in this conversation. Wait for it, cancel it, or send "onBusy": "enqueue".',
    { details: { turnId: open?.id ?? null } },
  );
}
