import type { ConversationEvent, StreamChunk } from '../../../domain/event.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import type { EventSource } from './event-repository.ts';

/** A reader's position in the stream of a conversation or of one turn of it, and the maximum that it takes at once. */
export interface StreamPart extends EventSource {
  afterSeq: number;
  afterChunkId: number;
  mostEvents: number;
  mostChunks: number;
}

/** A chunk that was read. */
export interface ReadChunk {
  id: number;
  chunk: StreamChunk;
  /**
   * The chunk is void: the reader has its message already, or a call that was given up wrote the chunk after the
   * message was stored.
   */
  finished: boolean;
}

/** The newest attempt at an iteration of a turn. */
export interface NewestAttempt {
  turnId: string;
  iteration: number;
  attempt: number;
  /** Whether its message is stored, or its turn has ended. */
  isClosed: boolean;
}

/** Pieces of text that models are writing now. A crash of the database may lose them; the messages stay. */
export function createStreamChunkRepository(query: Query) {
  return {
    /** Stored events and chunks after a position, both in order, and both as of the same moment. */
    readStream: async ({ turnId, ...part }: StreamPart) => {
      const rows =
        turnId === undefined
          ? await query(readConversationStream, part)
          : await query(readTurnStream, { ...part, turnId });
      return divideRows(rows);
    },

    /** The attempts that a reader has seen who has all chunks up to `chunkId` and all events up to `seq`. */
    listNewestAttempts: (conversationId: string, upto: SeenPart): Promise<NewestAttempt[]> =>
      query(listNewestAttempts, { conversationId, ...upto }),
  };
}

/** A row of a stream: an event or a chunk. */
export interface StreamRow {
  /** The `seq` of an event, or the id of a chunk. */
  number: number;
  turn_id: string;
  /** Null for a chunk. */
  type: string | null;
  payload: JsonObject;
  created_at: Date;
}

/** Divides the rows of a stream into its events and its chunks. */
export function divideRows(rows: readonly StreamRow[]) {
  return {
    events: rows.filter(({ type }) => type !== null).map(toEvent),
    chunks: rows.filter(({ type }) => type === null).map(toReadChunk),
  };
}

type ConversationPart = Omit<StreamPart, 'turnId'>;

const readConversationStream = defineStatement<ConversationPart, StreamRow>(
  'read_conversation_stream',
  `${toReadText()} ORDER BY number`,
);

/** Its own statement, so that its plan can use the index of a turn's events. */
const readTurnStream = defineStatement<ConversationPart & { turnId: string }, StreamRow>(
  'read_turn_stream',
  `${toReadText({ ofTurn: 'AND turn_id = :turnId' })} ORDER BY number`,
);

/** The streams of many readers, each after its own position; with null in place of a turn the whole conversation. */
interface StreamParts {
  conversationIds: string[];
  turnIds: (string | null)[];
  afterSeqs: number[];
  afterChunkIds: number[];
  mostEvents: number;
  mostChunks: number;
}

/** A row of one of many streams. */
export interface PlacedStreamRow extends Omit<StreamRow, 'number'> {
  /** Which of the streams it is of, counted from 1. */
  position: number;
  /** The number of the last event of the conversation. */
  last_seq: number;
  /** Null in the only row of a stream that has nothing new. A conversation that is gone has no row. */
  number: number | null;
}

/** Reads the streams of many readers at once, of whatever workspace: who may read them was decided before. */
export const readStreams = defineStatement<StreamParts, PlacedStreamRow>(
  'read_streams',
  `SELECT w.position, l.last_event_seq AS last_seq, part.*
   FROM unnest(:conversationIds::uuid[], :turnIds::uuid[], :afterSeqs::bigint[], :afterChunkIds::bigint[])
     WITH ORDINALITY AS w (conversation_id, turn_id, after_seq, after_chunk_id, position)
   JOIN conversations l ON l.id = w.conversation_id AND l.deleted_at IS NULL
   LEFT JOIN LATERAL (${toReadText({
     conversationId: 'w.conversation_id',
     afterSeq: 'w.after_seq',
     afterChunkId: 'w.after_chunk_id',
     ofTurn: 'AND (w.turn_id IS NULL OR turn_id = w.turn_id)',
   })}) AS part ON true
   ORDER BY w.position, part.number`,
);

/**
 * Events and chunks are read by one statement: two statements would see two moments, and the later one could find
 * a message whose pieces the earlier one did not see.
 */
function toReadText({
  conversationId = ':conversationId',
  afterSeq = ':afterSeq',
  afterChunkId = ':afterChunkId',
  ofTurn = '',
} = {}): string {
  return `
(SELECT seq AS number, turn_id, type, payload, created_at FROM events
  WHERE conversation_id = ${conversationId} AND seq > ${afterSeq} ${ofTurn}
  ORDER BY seq LIMIT :mostEvents)
UNION ALL
(SELECT c.id, c.turn_id, NULL, jsonb_build_object('iteration', c.iteration, 'attempt', c.attempt, 'text', c.text,
    'finished', EXISTS (SELECT FROM events e WHERE e.turn_id = c.turn_id
      AND (e.seq <= ${afterSeq} OR e.created_at < c.created_at)
      AND (e.type = 'turn.settled'
        OR e.type = 'message.created' AND (e.payload ->> 'iteration')::int >= c.iteration))), c.created_at
  FROM stream_chunks c
  WHERE c.conversation_id = ${conversationId} AND c.id > ${afterChunkId} ${ofTurn}
  ORDER BY c.id LIMIT :mostChunks)`;
}

interface SeenPart {
  seq: number;
  chunkId: number;
}

const listNewestAttempts = defineStatement<SeenPart & { conversationId: string }, NewestAttempt>(
  'list_newest_attempts',
  `SELECT c.turn_id AS "turnId", c.iteration, max(c.attempt) AS attempt, EXISTS (SELECT FROM events e
     WHERE e.turn_id = c.turn_id AND e.seq <= :seq AND (e.type = 'turn.settled'
       OR e.type = 'message.created' AND (e.payload ->> 'iteration')::int >= c.iteration)) AS "isClosed"
   FROM stream_chunks c WHERE c.conversation_id = :conversationId AND c.id <= :chunkId GROUP BY c.turn_id, c.iteration`,
);

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
  const ref = { id: String(number), turnId, iteration, attempt };
  const chunk: StreamChunk =
    text === null ? { type: 'stream.reset', ...ref } : { type: 'text.delta', ...ref, text };
  return { id: number, chunk, finished };
}

interface ChunkPayload {
  iteration: number;
  attempt: number;
  text: string | null;
  finished: boolean;
}
