/** A piece of a model's text as it is announced to readers, with the number under which it is stored. */
export interface AnnouncedChunk {
  id: number;
  /** The number of the last event of the conversation when the piece was stored: a reader who has it lacks nothing before. */
  afterSeq: number;
  conversationId: string;
  turnId: string;
  iteration: number;
  attempt: number;
  /** Null as the mark that earlier pieces are void; undefined for a piece that is too long, and has to be read from the table. */
  text: string | null | undefined;
}

/** A piece before it has its numbers. */
export type NewChunk = Omit<AnnouncedChunk, 'id' | 'afterSeq' | 'text'> & { text: string | null };

/** The channel on which chunks are announced. */
export const chunksChannel = 'holdfast_chunks';

/**
 * The statement with which each session begins that stores chunks. Their commits do not wait for the disk, so a crash of
 * Postgres may set the sequence of their numbers back; it ends the sessions too, and the next ones begin beyond what was lost.
 */
export const prepareChunkSession = `SET synchronous_commit = off;
  SELECT count(nextval('stream_chunk_ids')) FROM generate_series(1, 4096)`;

/** Postgres refuses payloads of 8000 bytes. */
const mostBytes = 7_900;
/** The maximum number of bytes of both numbers of a chunk, each with a comma and a space. */
const numberBytes = 2 * 18;

/** The fields of an announced chunk besides its numbers, as an array, so that no names are repeated. */
type Row = [conversationId: string, turnId: string, iteration: number, attempt: number, text?: string | null];

/** The chunks of a write, divided into as few notifications as the limit of Postgres allows. */
export interface ChunkParts {
  /** A JSON array for each notification. */
  rows: string[];
  /** The notification of each chunk, counted from 1. */
  partOf: number[];
}

/** Divides chunks into parts that fit into a notification with their numbers, and keeps their order. */
export function toChunkParts(chunks: readonly NewChunk[]): ChunkParts {
  const parts: string[][] = [];
  const partOf: number[] = [];
  let bytes = mostBytes;
  for (const chunk of chunks) {
    const row = toShortRow(chunk);
    const size = toSize(row);
    if (bytes + size > mostBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(row);
    bytes += size;
    partOf.push(parts.length);
  }
  return { rows: parts.map((rows) => `[${rows.join(',')}]`), partOf };
}

const toSize = (row: string) => Buffer.byteLength(row) + 1 + numberBytes;

function toShortRow({ conversationId, turnId, iteration, attempt, text }: NewChunk): string {
  const place = [conversationId, turnId, iteration, attempt] as const;
  const row = JSON.stringify([...place, text] satisfies Row);
  return toSize(row) > mostBytes ? JSON.stringify(place satisfies Readonly<Row>) : row;
}

/**
 * Reads the chunks of a notification: arrays of their numbers and of the numbers of the events before, and their rows. Those
 * without a number were not stored.
 */
export function parseChunks(payload: string): AnnouncedChunk[] {
  const [ids, seqs, rows] = JSON.parse(payload) as [(number | null)[], (number | null)[], Row[]];
  return rows.flatMap(([conversationId, turnId, iteration, attempt, text], index) => {
    const id = ids[index] ?? null;
    const afterSeq = seqs[index] ?? 0;
    return id === null ? [] : [{ id, afterSeq, conversationId, turnId, iteration, attempt, text }];
  });
}
