import type { Knex } from 'knex';
import type { ConversationEvent, StreamChunk } from '../../domain/event.ts';
import type { JsonObject } from '../../domain/json.ts';

/** Where a reader of a conversation, or of one turn of it, stands, and how much it takes. */
export interface StreamQuery {
  conversationId: string;
  turnId?: string | undefined;
  afterSeq: number;
  afterChunkId: number;
  mostEvents: number;
  mostChunks: number;
}

/** A chunk that was read. */
export interface ReadChunk {
  id: number;
  chunk: StreamChunk;
  /** It is void: the reader has its message, or it was written after its message, by a call that was given up. */
  finished: boolean;
}

/** The newest attempt at an iteration of a turn. */
export interface NewestAttempt {
  turnId: string;
  iteration: number;
  attempt: number;
}

/** What models are writing at this moment. A crash of the database may take it away; the messages stay. */
export function createStreamChunkRepository(trx: Knex) {
  return {
    /** Stored events and chunks after a place, both in order, and both as of the same moment. */
    readStream: (query: StreamQuery) => readStream(trx, query),

    /** What a reader has seen who stands at `uptoId`. */
    listNewestAttempts: (conversationId: string, uptoId: number): Promise<NewestAttempt[]> =>
      trx('stream_chunks')
        .where({ conversation_id: conversationId })
        .where('id', '<=', uptoId)
        .groupBy('turn_id', 'iteration')
        .select<NewestAttempt[]>('turn_id as turnId', 'iteration', trx.raw('max(attempt) AS attempt')),
  };
}

interface StreamRow {
  /** The `seq` of an event, or the id of a chunk. */
  number: number;
  turn_id: string;
  /** Null for a chunk. */
  type: string | null;
  payload: JsonObject;
  created_at: Date;
}

/** One statement, since two would see two moments: a message, but not the pieces that were stored before it. */
const readStatement = `
(SELECT seq AS number, turn_id, type, payload, created_at FROM events
  WHERE conversation_id = :conversationId AND seq > :afterSeq AND (:turnId::uuid IS NULL OR turn_id = :turnId)
  ORDER BY seq LIMIT :mostEvents)
UNION ALL
(SELECT c.id, c.turn_id, NULL, jsonb_build_object('iteration', c.iteration, 'attempt', c.attempt, 'text', c.text,
    'finished', EXISTS (SELECT FROM events e WHERE e.turn_id = c.turn_id
      AND (e.seq <= :afterSeq OR e.created_at < c.created_at)
      AND (e.type = 'turn.settled'
        OR e.type = 'message.created' AND (e.payload ->> 'iteration')::int >= c.iteration))), c.created_at
  FROM stream_chunks c
  WHERE c.conversation_id = :conversationId AND c.id > :afterChunkId
    AND (:turnId::uuid IS NULL OR c.turn_id = :turnId)
  ORDER BY c.id LIMIT :mostChunks)
ORDER BY number`;

async function readStream(
  trx: Knex,
  query: StreamQuery,
): Promise<{ events: ConversationEvent[]; chunks: ReadChunk[] }> {
  const bindings = { ...query, turnId: query.turnId ?? null };
  const { rows } = await trx.raw<{ rows: StreamRow[] }>(readStatement, bindings);
  return {
    events: rows.filter(({ type }) => type !== null).map(toEvent),
    chunks: rows.filter(({ type }) => type === null).map(toReadChunk),
  };
}

function toEvent({ number, turn_id: turnId, type, payload, created_at }: StreamRow): ConversationEvent {
  return {
    seq: number,
    turnId,
    type,
    createdAt: created_at.toISOString(),
    payload,
  } as unknown as ConversationEvent;
}

function toReadChunk({ number, turn_id: turnId, payload }: StreamRow): ReadChunk {
  const { iteration, attempt, text, finished } = payload as unknown as ChunkPayload;
  const place = { id: String(number), turnId, iteration, attempt };
  const chunk: StreamChunk =
    text === null ? { type: 'stream.reset', ...place } : { type: 'text.delta', ...place, text };
  return { id: number, chunk, finished };
}

interface ChunkPayload {
  iteration: number;
  attempt: number;
  text: string | null;
  finished: boolean;
}
