import type { Actor, ActorRef } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { defaultLimits } from '../../domain/limits.ts';
import { toMessageText } from '../../domain/message-text.ts';
import { toStorableJson } from '../../domain/storable.ts';
import { toOwnerKey } from '../../domain/person.ts';
import { toOneLine } from '../../domain/text.ts';
import type { Turn, TurnInput } from '../../domain/turn.ts';
import type { AgentTurnInput } from '../../contract/turn-steps.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import type { Transactions } from '../../platform/database/transactions.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { findMissingFiles, findNamedFiles, hasNamedFiles, insertFileUses } from './messages/message-parts.ts';
import { requireSameRequest } from '../workspaces/repeated-request.ts';
import { isNextInConversation, lockTurnSlotsSql, runningTurns } from './workspace-share.ts';
import {
  conversationNotFound,
  findTurnRow,
  toAgentTurnInput,
  toTurn,
  unowned,
  type TurnRow,
  type VersionColumns,
} from './turn-rows.ts';
import {
  findTurnStart,
  insertMessageOfParts,
  insertUserMessage,
  toMessageBindings,
  toQueuedEvent,
  toTurnStart,
} from './turn-start.ts';

/** A turn that is to be stored under an id of its caller's choice. */
export interface NewTurn {
  turnId: string;
  /** A hash of the whole request: the same turn id with another hash is another request. */
  requestHash: string;
  conversationId: string;
  input: TurnInput;
  /** Lower numbers go first. @default 3 */
  priority?: number;
  /** @default not known */
  startedBy?: ActorRef;
  /** The only person for whom the starter acts. @default null, for a starter that may name anybody */
  actsFor?: Actor['actsFor'];
  /** Those who changed what the turn does, besides its starter. @default none */
  participants?: readonly ActorRef[];
  /** Whether a worker may run the turn without a workflow when its agent asks for that. @default false */
  mayRunDirectly?: boolean;
}

/** The actor of a turn that was started without an API key and for no person. */
const unknownActor: ActorRef = { apiKeyId: null, actingFor: null };

/** A turn that is stored now. */
export interface StoredTurn {
  /** False when an earlier submission has stored the turn. */
  accepted: boolean;
  turn: Turn;
  /** The input of its workflow; null while the turn is queued, and when it has ended. */
  start: AgentTurnInput | null;
}

/**
 * Stores a turn with its message and first event, in one round trip, or finds it when it is stored already.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `TURN_RUNNING`, `QUEUE_FULL` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function storeNewTurn(
  { pipelined, transact }: Pick<Transactions, 'pipelined' | 'transact'>,
  workspaceId: string,
  turn: NewTurn,
): Promise<StoredTurn> {
  try {
    const stored = await pipelined(workspaceId, (query) => insertTurn(query, turn));
    if (stored) return stored;
  } catch (error) {
    // Another conversation took the id of the turn at the same moment.
    if (!isUniqueViolation(error)) throw error;
  }
  return transact(workspaceId, (query) => findRepeated(query, turn));
}

/**
 * Stores a turn with its message and first event. Null when that turn is stored already, and when the conversation takes
 * no turn now; `findRepeated` says which. Its statements are sent together.
 */
export async function insertTurn(query: Query, newTurn: NewTurn): Promise<StoredTurn | null> {
  const { message } = newTurn.input;
  const [, [row]] = await Promise.all([
    query(lockConversation, { conversationId: newTurn.conversationId }),
    query(typeof message === 'string' ? insertRow : insertRowOfParts, toTurnBindings(newTurn)),
  ]);
  if (!row) return null;
  const isRunning = row.status === 'running';
  const start = isRunning ? toAgentTurnInput(row, row, toOneLine(toMessageText(message))) : null;
  return { accepted: true, turn: toTurn(row), start };
}

/**
 * Finds a turn that an earlier submission has stored.
 * @throws HoldfastError `NOT_FOUND`, `INVALID_INPUT`, `CONFLICT`, `TURN_RUNNING`, `QUEUE_FULL` or `IDEMPOTENCY_KEY_REUSED`
 */
export async function findRepeated(query: Query, newTurn: NewTurn): Promise<StoredTurn> {
  const { turnId, conversationId } = newTurn;
  const [[stored], [target]] = await Promise.all([
    query(findTurnRow, { turnId }),
    query(findTarget, { conversationId }),
  ]);
  if (stored) return toRepeated(query, stored, newTurn);
  if (!target) throw conversationNotFound(conversationId);
  if (target.deleted_at) throw new HoldfastError('CONFLICT', 'The agent of this conversation was deleted.');
  const missing = await findMissingFiles(query, newTurn.input.message);
  if (missing) throw missing;
  throw newTurn.input.onBusy === 'reject' ? await createBusyError(query, conversationId) : queueFull;
}

/**
 * Makes all submissions to one conversation wait for each other, so that each sees the turns of those before it, and those
 * to a workspace that limits its running turns. The places are locked first: the condition without columns is evaluated once.
 */
export const lockConversation = defineStatement<{ conversationId: string }, unknown>(
  'lock_conversation_for_turn',
  `WITH places AS MATERIALIZED (${lockTurnSlotsSql})
   SELECT FROM conversations WHERE id = :conversationId AND (SELECT count(*) FROM places) >= 0 FOR UPDATE`,
);

const findTarget = defineStatement<{ conversationId: string }, { deleted_at: Date | null }>(
  'find_target_of_turn',
  `SELECT a.deleted_at FROM conversations c JOIN agents a ON a.id = c.agent_id
   WHERE c.id = :conversationId AND c.deleted_at IS NULL`,
);

function toTurnBindings(newTurn: NewTurn) {
  const { turnId, requestHash, conversationId, input, priority = 3, startedBy = unknownActor } = newTurn;
  const { participants = [] } = newTurn;
  const message = toMessageBindings(input.message);
  return {
    ...message,
    queued: toQueuedEvent(message.messageId, input),
    turnId,
    conversationId,
    requestHash,
    priority,
    startedBy: toStorableJson(startedBy),
    participants: toStorableJson(participants),
    mayRunDirectly: newTurn.mayRunDirectly ?? false,
    person: toOwnerKey(startedBy.actingFor),
    responseSchema: input.responseSchema ? toStorableJson(input.responseSchema) : null,
    timeoutMs: defaultLimits.turnTimeoutMs,
    startTimeoutMs: defaultLimits.startTimeoutMs,
    enqueue: input.onBusy !== 'reject',
    steers: input.onBusy === 'steer',
    mostMessages: mostQueuedMessages,
    mostBytes: mostQueuedBytes,
  };
}

/** How many messages may wait in a conversation, and how many bytes of them as UTF-8. */
const mostQueuedMessages = 20;
const mostQueuedBytes = 64 * 1024;

/** The parts of the statement that inserts a turn, for a message that is text or one that has parts. */
interface MessageSql {
  /** Comes before the other parts. */
  before: string;
  condition: string;
  insert: string;
  /** Comes after the message. */
  after: string;
  /** The bytes of the message, as they count for the limit of the queue. */
  bytes: string;
}

/**
 * A turn is numbered, and its first event with it, by one change of its conversation. A conversation without a person gets
 * the person of its first turn.
 */
const toInsertSql = ({ before, condition, insert, after, bytes }: MessageSql) => `WITH ${before}target AS (
  SELECT c.id, c.agent_id, v.id AS version_id, v.name AS agent_name, v.model, v.execution, v.limits, w.turn_weight,
    w.max_running_turns IS NOT NULL AND CASE WHEN w.max_running_turns IS NOT NULL THEN
      w.max_running_turns <= ${runningTurns('c.workspace_id')} OR EXISTS (SELECT FROM turns q
        WHERE q.workspace_id = c.workspace_id AND q.status = 'queued' AND q.parent_turn_id IS NULL
          AND q.priority <= :priority::int AND ${isNextInConversation('q')})
      END AS is_full,
    coalesce((v.limits ->> 'turnTimeoutMs')::int, :timeoutMs::int) AS timeout_ms,
    coalesce((v.limits ->> 'startTimeoutMs')::int,
      w.start_timeout_ms, :startTimeoutMs::int) AS start_timeout_ms,
    EXISTS (SELECT FROM turns t WHERE t.conversation_id = c.id AND t.status IN ('running', 'waiting_for_approval'))
      OR EXISTS (SELECT FROM turns t WHERE t.conversation_id = c.id AND t.status = 'queued') AS busy
  FROM conversations c
  JOIN agents a ON a.id = c.agent_id
  JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
  LEFT JOIN workspaces w ON w.id = c.workspace_id
  WHERE c.id = :conversationId AND c.deleted_at IS NULL AND a.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM turns t WHERE t.id = :turnId)${condition}
), numbered AS (
  UPDATE conversations c SET last_turn_ordinal = c.last_turn_ordinal + 1, last_event_seq = c.last_event_seq + 1,
    characters = c.characters + :characters,
    person = CASE WHEN c.last_turn_ordinal = 0 THEN coalesce(c.person, :person::text) ELSE c.person END
  FROM target WHERE c.id = target.id AND (NOT target.busy OR :enqueue::boolean AND (
    SELECT count(*) < :mostMessages::int
      AND coalesce(sum(coalesce(octet_length(m.parts::text), octet_length(m.text))), 0) + ${bytes} <= :mostBytes::int
    FROM turns q JOIN messages m ON m.conversation_id = q.conversation_id AND m.turn_ordinal = q.ordinal
    WHERE q.conversation_id = target.id AND q.status = 'queued'))
  RETURNING target.*, c.last_turn_ordinal AS ordinal, c.last_event_seq AS seq,
    c.characters - :characters AS characters_before
), turn AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, characters_before, request_hash,
    timeout_ms, start_timeout_ms, started_by, participants, message_id, steers, priority, response_schema, direct_owner, status,
    started_at, deadline_at)
  SELECT :turnId::uuid, id, agent_id, version_id, ordinal, characters_before, :requestHash, timeout_ms, start_timeout_ms,
    :startedBy::jsonb, :participants::jsonb, :messageId::uuid, busy AND :steers::boolean, :priority::smallint, :responseSchema::json,
    CASE WHEN execution = 'direct' AND :mayRunDirectly::boolean THEN '${unowned}'::uuid END,
    CASE WHEN busy OR is_full THEN 'queued' ELSE 'running' END,
    CASE WHEN NOT (busy OR is_full) THEN now() END,
    CASE WHEN NOT (busy OR is_full) THEN now() + make_interval(secs => timeout_ms / 1000.0) END
  FROM numbered
  RETURNING *
), message AS (${insert}
)${after}, logged AS (
  INSERT INTO events (conversation_id, seq, turn_id, type, payload)
  SELECT numbered.id, seq, :turnId::uuid, event ->> 'type', event -> 'payload'
  FROM numbered, jsonb_array_elements(CASE WHEN busy OR is_full THEN :queued::jsonb ELSE :started::jsonb END) AS event
)
SELECT turn.*, numbered.agent_name, numbered.model, numbered.execution, numbered.limits, numbered.turn_weight FROM turn, numbered`;

type TurnBindings = ReturnType<typeof toTurnBindings>;

const insertRow = defineStatement<TurnBindings, TurnRow & VersionColumns>(
  'insert_turn',
  toInsertSql({
    ...{ before: '', condition: '', insert: insertUserMessage, after: '' },
    bytes: 'octet_length(:message::text)',
  }),
);

/** As `insertRow`; nothing is inserted when a file is missing that the message names. */
const insertRowOfParts = defineStatement<TurnBindings, TurnRow & VersionColumns>(
  'insert_turn_of_parts',
  toInsertSql({
    before: `${findNamedFiles}, `,
    condition: ` AND ${hasNamedFiles}`,
    insert: insertMessageOfParts,
    after: `, uses AS (${insertFileUses})`,
    bytes: 'octet_length(:parts::text)',
  }),
);

async function toRepeated(query: Query, row: TurnRow, newTurn: NewTurn): Promise<StoredTurn> {
  const { requestHash, actsFor = null } = newTurn;
  requireSameRequest(
    { actsFor },
    {
      ...{ thing: 'message', person: row.started_by?.actingFor, details: { turnId: row.id } },
      isSame: row.request_hash === requestHash,
    },
  );
  const [start] = row.status === 'running' ? await query(findTurnStart, { turnId: row.id }) : [];
  return { accepted: false, turn: toTurn(row), start: start ? toTurnStart(start) : null };
}

const findOpenTurn = defineStatement<{ conversationId: string }, { id: string }>(
  'find_open_turn',
  `SELECT id FROM turns
   WHERE conversation_id = :conversationId AND status IN ('queued', 'running', 'waiting_for_approval')
   ORDER BY ordinal LIMIT 1`,
);

const queueFull = new HoldfastError(
  'QUEUE_FULL',
  `At most ${mostQueuedMessages} messages and ${mostQueuedBytes / 1024} KiB may wait in a conversation. ` +
    'Send the message again when the turn has ended, or withdraw one that waits.',
);

async function createBusyError(query: Query, conversationId: string): Promise<HoldfastError> {
  const [open] = await query(findOpenTurn, { conversationId });
  return new HoldfastError(
    'TURN_RUNNING',
    'A turn is running in this conversation. Wait for it, cancel it, or send "onBusy": "enqueue" or "steer".',
    { details: { turnId: open?.id ?? null } },
  );
}
