import type { Knex } from 'knex';
import { newId } from '../../lib/ids.ts';
import { HoldfastError } from '../../domain/errors.ts';
import { defaultLimits } from '../../domain/limits.ts';
import { toOneLine, toPreview } from '../../domain/text.ts';
import type { Turn, TurnDetails, TurnInput } from '../../domain/turn.ts';
import { isSettled } from '../../domain/turn-status.ts';
import type { AgentTurnInput } from '../../../workflows/contract/turn-steps.ts';
import { toToolCall, type ToolCallRow } from './tool-call-rows.ts';
import { toAgentTurnInput, toTurn, type TurnRow, type VersionColumns } from './turn-rows.ts';

interface Submission {
  turnId: string;
  /** A hash of everything that was asked for: the same turn id with another hash is another request. */
  requestHash: string;
  conversationId: string;
  input: TurnInput;
}

interface Submitted {
  /** False when the turn was there already. */
  accepted: boolean;
  turn: Turn;
  /** What to start the workflow with; null while the turn is queued or when it is over. */
  start: AgentTurnInput | null;
}

interface SubmissionTarget extends VersionColumns {
  agent_id: string;
  version_id: string;
  last_turn_ordinal: number;
  characters: number;
  deleted_at: Date | null;
}

const openStatuses = ['queued', 'running', 'waiting_for_approval'];

/** Turns as their callers see them: submitted, found, listed and cancelled. */
export function createTurnRepository(trx: Knex) {
  return {
    submitTurn: (submission: Submission) => submitTurn(trx, submission),

    findTurn: async (id: string): Promise<Turn | null> => {
      const row = await trx<TurnRow>('turns').where({ id }).first();
      return row ? toTurn(row) : null;
    },

    getTurnDetails: async (id: string): Promise<TurnDetails> => {
      const [row, calls] = await Promise.all([
        trx<TurnRow>('turns').where({ id }).first(),
        trx<ToolCallRow>('tool_calls').where({ turn_id: id }).orderBy(['iteration', 'index']),
      ]);
      if (!row) throw turnNotFound(id);
      return { ...toTurn(row), toolCalls: calls.map(toToolCall) };
    },

    /** Newest first; `cursor` is the id of the last turn of the page before. */
    listTurns: (page: { conversationId: string; cursor?: string | undefined; limit: number }) =>
      listTurns(trx, page),

    requestCancel: (id: string) => requestCancel(trx, id),

    /** What to start the workflow of a turn with, from what is stored. */
    getStart: (id: string) => getStart(trx, id),
  };
}

export type TurnRepository = ReturnType<typeof createTurnRepository>;

function turnNotFound(id: string): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no turn ${id}.`);
}

async function submitTurn(trx: Knex, submission: Submission): Promise<Submitted> {
  const [existing, target] = await Promise.all([
    trx<TurnRow>('turns').where({ id: submission.turnId }).first(),
    lockConversation(trx, submission.conversationId),
  ]);
  if (existing) return toRepeated(trx, existing, submission);
  if (!target) throw new HoldfastError('NOT_FOUND', `There is no conversation ${submission.conversationId}.`);
  if (target.deleted_at) throw new HoldfastError('CONFLICT', 'The agent of this conversation was deleted.');
  const row = await insertTurn(trx, submission, target);
  if (row) {
    const start =
      row.status === 'running' ? toAgentTurnInput(row, target, toOneLine(submission.input.message)) : null;
    return { accepted: true, turn: toTurn(row), start };
  }
  const stored = await trx<TurnRow>('turns').where({ id: submission.turnId }).first();
  if (stored) return toRepeated(trx, stored, submission);
  throw await toBusyError(trx, submission.conversationId);
}

/** Numbers the next turn; the row's lock makes all submissions to one conversation wait for each other. */
async function lockConversation(trx: Knex, id: string): Promise<SubmissionTarget | undefined> {
  const { rows } = await trx.raw<{ rows: SubmissionTarget[] }>(
    `UPDATE conversations c SET last_turn_ordinal = last_turn_ordinal + 1
     FROM agents a JOIN agent_versions v ON v.agent_id = a.id AND v.version = a.current_version
     WHERE c.id = :id AND a.id = c.agent_id
     RETURNING c.agent_id, c.last_turn_ordinal, c.characters, a.deleted_at,
       v.id AS version_id, v.model, v.execution, v.limits`,
    { id },
  );
  return rows[0];
}

async function insertTurn(
  trx: Knex,
  submission: Submission,
  target: SubmissionTarget,
): Promise<TurnRow | undefined> {
  const { message, onBusy } = submission.input;
  const payload = { message: toPreview(message) };
  const { rows } = await trx.raw<{ rows: TurnRow[] }>(insertTurnStatement, {
    id: submission.turnId,
    conversationId: submission.conversationId,
    agentId: target.agent_id,
    versionId: target.version_id,
    ordinal: target.last_turn_ordinal,
    charactersBefore: target.characters,
    hash: submission.requestHash,
    timeoutMs: target.limits.turnTimeoutMs ?? defaultLimits.turnTimeoutMs,
    enqueue: onBusy === 'enqueue',
    messageId: newId(),
    message,
    characters: message.length,
    started: JSON.stringify([{ type: 'turn.started', payload }]),
    queued: JSON.stringify([{ type: 'turn.queued', payload }]),
  });
  return rows[0];
}

const insertTurnStatement = `
WITH busy AS (
  SELECT EXISTS (SELECT FROM turns WHERE conversation_id = :conversationId
    AND status IN ('queued', 'running', 'waiting_for_approval')) AS yes
), turn AS (
  INSERT INTO turns (id, conversation_id, agent_id, agent_version_id, ordinal, characters_before, request_hash,
    timeout_ms, status, started_at, deadline_at)
  SELECT :id::uuid, :conversationId::uuid, :agentId::uuid, :versionId::uuid, :ordinal::int, :charactersBefore::bigint,
    :hash, :timeoutMs::int, CASE WHEN yes THEN 'queued' ELSE 'running' END,
    CASE WHEN yes THEN NULL ELSE now() END,
    CASE WHEN yes THEN NULL ELSE now() + make_interval(secs => :timeoutMs::int / 1000.0) END
  FROM busy WHERE :enqueue OR NOT yes
  ON CONFLICT (id) DO NOTHING
  RETURNING *
), message AS (
  INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
  SELECT :messageId::uuid, conversation_id, id, ordinal, 0, 'user', :message FROM turn
), logged AS (
  SELECT append_events(conversation_id, id,
    CASE status WHEN 'queued' THEN :queued::jsonb ELSE :started::jsonb END, :characters::int) FROM turn
)
SELECT turn.* FROM turn, logged`;

async function toRepeated(trx: Knex, row: TurnRow, submission: Submission): Promise<Submitted> {
  if (row.request_hash !== submission.requestHash) {
    throw new HoldfastError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request. Use a new key for a new message.',
      { details: { turnId: row.id } },
    );
  }
  return {
    accepted: false,
    turn: toTurn(row),
    start: row.status === 'running' ? await getStart(trx, row.id) : null,
  };
}

async function toBusyError(trx: Knex, conversationId: string): Promise<HoldfastError> {
  const running = await trx<TurnRow>('turns')
    .where({ conversation_id: conversationId })
    .whereIn('status', openStatuses)
    .orderBy('ordinal')
    .first('id');
  return new HoldfastError(
    'TURN_RUNNING',
    'A turn is running in this conversation. Wait for it, cancel it, or send "onBusy": "enqueue".',
    { details: { turnId: running?.id ?? null } },
  );
}

async function getStart(trx: Knex, id: string): Promise<AgentTurnInput> {
  const row = await trx('turns as t')
    .join('agent_versions as v', 'v.id', 't.agent_version_id')
    .join('messages as m', (on) => on.on('m.turn_id', 't.id').andOnVal('m.iteration', 0))
    .where('t.id', id)
    .first<(TurnRow & VersionColumns & { message: string }) | undefined>(
      't.*',
      'v.model',
      'v.execution',
      'v.limits',
      trx.raw('left(m.text, 500) AS message'),
    );
  if (!row) throw turnNotFound(id);
  return toAgentTurnInput(row, row, toOneLine(row.message));
}

async function listTurns(
  trx: Knex,
  page: { conversationId: string; cursor?: string | undefined; limit: number },
) {
  const query = trx<TurnRow>('turns').where({ conversation_id: page.conversationId });
  if (page.cursor) {
    const before = trx<TurnRow>('turns').where({ id: page.cursor }).select('ordinal');
    void query.where('ordinal', '<', before);
  }
  const rows = await query.orderBy('ordinal', 'desc').limit(page.limit + 1);
  const items = rows.slice(0, page.limit).map(toTurn);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}

interface CancelRequested {
  turn: Turn;
  running: boolean;
  /** The turns whose running steps should stop now: this one, and those that its tool calls wait for. */
  stopping: string[];
}

/** Notes that a turn should stop. A queued turn is over at once; a running one is stopped by its workflow. */
async function requestCancel(trx: Knex, id: string): Promise<CancelRequested> {
  const row = await trx<TurnRow>('turns').where({ id }).forUpdate().first();
  if (!row) throw turnNotFound(id);
  if (isSettled(row.status)) return { turn: toTurn(row), running: false, stopping: [] };
  if (row.status !== 'queued') {
    return { turn: toTurn(row), running: true, stopping: await requestCancelOfAll(trx, id) };
  }
  const answer = 'The turn was cancelled before it began.';
  const { rows } = await trx.raw<{ rows: TurnRow[] }>(
    `WITH turn AS (
       UPDATE turns SET status = 'cancelled', answer = :answer, settled_at = now() WHERE id = :id RETURNING *
     ), message AS (
       INSERT INTO messages (id, conversation_id, turn_id, turn_ordinal, iteration, role, text)
       SELECT :messageId::uuid, conversation_id, id, ordinal, 1, 'assistant', :answer FROM turn
     ), logged AS (
       SELECT append_events(conversation_id, id, :events::jsonb, 0) FROM turn
     )
     SELECT turn.* FROM turn, logged`,
    { id, answer, messageId: newId(), events: JSON.stringify([cancelledEvent(row, answer)]) },
  );
  return { turn: toTurn(rows[0] ?? row), running: false, stopping: [] };
}

async function requestCancelOfAll(trx: Knex, id: string): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `WITH RECURSIVE tree AS (
       SELECT id FROM turns WHERE id = :id
       UNION ALL
       SELECT t.id FROM turns t JOIN tree ON t.parent_turn_id = tree.id
     )
     UPDATE turns t SET cancel_requested_at = now() FROM tree
     WHERE t.id = tree.id AND t.status IN ('running', 'waiting_for_approval') RETURNING t.id`,
    { id },
  );
  return rows.map((row) => row.id);
}

function cancelledEvent(row: TurnRow, answer: string) {
  const { iterations, usage } = toTurn(row);
  return { type: 'turn.settled', payload: { outcome: 'cancelled', answer, error: null, iterations, usage } };
}
