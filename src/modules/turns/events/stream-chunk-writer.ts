import { createBatcher } from '../../../platform/lib/batcher.ts';
import { chunksChannel, toChunkParts, type NewChunk } from '../../../platform/database/announced-chunks.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';
import {
  selectNotifications,
  toNotificationValues,
  type Notification,
  type NotificationValues,
} from '../../../platform/database/transactions.ts';
import { toStorableText } from '../../../domain/storable.ts';

/** The answer that a model writes now: an attempt at an iteration of a turn. */
export interface ChunkPlace extends Omit<NewChunk, 'text'> {
  /** The process that held the turn when the attempt began. Pieces of a turn that another one holds are lost. */
  heldBy: string | null;
}

type HeldChunk = ChunkPlace & { text: string | null };

/** Returns a piece of text; null as the mark that all before it in this iteration is void; empty for nothing. */
export type TakeText = () => string | null;

/**
 * Writes what `take` returns once its turn has come, in the order of the calls. Resolves when readers have it, and rejects when
 * it was not stored; then it is lost. It waits until `pauseMs` have passed since the write before, if that is sooner than others.
 */
export type StreamChunkWriter = (place: ChunkPlace, take: TakeText, pauseMs?: number) => Promise<undefined>;

interface StreamChunkWriterOptions {
  /** Runs a statement that sees the rows of every workspace, and whose commit does not wait for the disk. */
  storeUnsynced: Query;
  /** Returns what else is to be notified, so that the same statement does it. @default nothing */
  takeNotifications?: () => Notification[];
  /** The least time from one write to the next, in milliseconds, for pieces that name none. @default 33 */
  pauseMs?: number;
}

/**
 * Stores and announces the pieces of all answers of this process together, in one statement for all that has come since the
 * one before.
 */
export function createStreamChunkWriter({
  storeUnsynced,
  takeNotifications = () => [],
  pauseMs = 33,
}: StreamChunkWriterOptions): StreamChunkWriter {
  const write = createBatcher({
    pauseMs,
    run: async (asked: { place: ChunkPlace; take: TakeText }[]) => {
      const chunks = asked
        .map(({ place, take }) => toNewChunk(place, take()))
        .filter(({ text }) => text !== '');
      if (chunks.length > 0) {
        const values = { ...toValues(chunks), ...toNotificationValues(takeNotifications()) };
        await storeUnsynced(appendChunks, values);
      }
      return asked.map(() => undefined);
    },
  });
  return (place, take, pauseMs) => write({ place, take }, pauseMs);
}

function toNewChunk(place: ChunkPlace, text: string | null): HeldChunk {
  return { ...place, text: text && toStorableText(text) };
}

function toValues(chunks: readonly HeldChunk[]) {
  const { rows, partOf } = toChunkParts(chunks);
  return {
    ...{ channel: chunksChannel, rows, parts: partOf },
    conversationIds: chunks.map(({ conversationId }) => conversationId),
    turnIds: chunks.map(({ turnId }) => turnId),
    iterations: chunks.map(({ iteration }) => iteration),
    attempts: chunks.map(({ attempt }) => attempt),
    holders: chunks.map(({ heldBy }) => heldBy),
    texts: chunks.map(({ text }) => text),
  };
}

/**
 * Numbers the pieces in their order, stores them and announces them in one transaction. A piece gets the workspace of its
 * conversation: the statement writes for every workspace, and cannot put a piece into another one. A piece of a process that
 * has lost the turn is not stored, and readers take none without a number.
 */
const appendChunks = defineStatement<ReturnType<typeof toValues> & NotificationValues, unknown>(
  'append_stream_chunks',
  `WITH numbered AS MATERIALIZED (
     SELECT nextval('stream_chunk_ids') AS id, p.* FROM (
       SELECT * FROM unnest(:conversationIds::uuid[], :turnIds::uuid[], :iterations::integer[], :attempts::integer[],
         :texts::text[], :holders::uuid[], :parts::integer[]) WITH ORDINALITY
         AS given (conversation_id, turn_id, iteration, attempt, text, held_by, part, position)
       ORDER BY position) AS p
   ), placed AS MATERIALIZED (
     SELECT n.*, c.workspace_id, c.last_event_seq FROM numbered n JOIN conversations c ON c.id = n.conversation_id
       JOIN turns t ON t.id = n.turn_id AND t.held_by IS NOT DISTINCT FROM n.held_by
   ), stored AS (
     INSERT INTO stream_chunks (id, workspace_id, conversation_id, turn_id, iteration, attempt, text)
     SELECT id, workspace_id, conversation_id, turn_id, iteration, attempt, text FROM placed
   )
   (SELECT pg_notify(:channel, '[' || json_agg(p.id ORDER BY n.position) || ',' ||
     json_agg(p.last_event_seq ORDER BY n.position) || ',' || (:rows::text[])[n.part] || ']')
   FROM numbered n LEFT JOIN placed p ON p.id = n.id GROUP BY n.part ORDER BY n.part)
   UNION ALL ${selectNotifications}`,
);
