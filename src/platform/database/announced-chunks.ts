/** A piece of a model's text as it is announced to readers, with the number under which it is stored. */
export interface AnnouncedChunk {
  id: number;
  conversationId: string;
  turnId: string;
  iteration: number;
  attempt: number;
  /** Null for what has to be read from the table: a mark that earlier pieces are void, and a piece too long to announce. */
  text: string | null;
}

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
/** The most bytes of a number with a comma and a space. */
const idBytes = 17;

/** What is announced of a chunk besides its number, by its position in an array, which has no names to repeat. */
type Row = [conversationId: string, turnId: string, iteration: number, attempt: number, text: string | null];

/** The chunks of a write, divided into as few notifications as the limit of Postgres allows. */
export interface ChunkParts {
  /** A JSON array for each notification. */
  rows: string[];
  /** The notification of each chunk, counted from 1. */
  partOf: number[];
}

/** Divides chunks into parts that fit into a notification with their numbers, and keeps their order. */
export function toChunkParts(chunks: readonly Omit<AnnouncedChunk, 'id'>[]): ChunkParts {
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

const toSize = (row: string) => Buffer.byteLength(row) + 1 + idBytes;

function toShortRow(chunk: Omit<AnnouncedChunk, 'id'>): string {
  const row = toRow(chunk);
  return toSize(row) > mostBytes ? toRow({ ...chunk, text: null }) : row;
}

function toRow({ conversationId, turnId, iteration, attempt, text }: Omit<AnnouncedChunk, 'id'>): string {
  return JSON.stringify([conversationId, turnId, iteration, attempt, text] satisfies Row);
}

/** Reads the chunks of a notification: an array of their numbers, and the rows of its part. */
export function parseChunks(payload: string): AnnouncedChunk[] {
  const [ids, rows] = JSON.parse(payload) as [number[], Row[]];
  return rows.map(([conversationId, turnId, iteration, attempt, text], index) => ({
    ...{ id: ids[index] ?? 0, conversationId, turnId, iteration, attempt, text },
  }));
}
