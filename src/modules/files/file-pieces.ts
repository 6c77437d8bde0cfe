import type { Database } from '../../platform/database/connect-database.ts';
import { defineStatement } from '../../platform/database/statement.ts';

/** The size of one piece of a file, in bytes. Reading one needs about five times as much memory, for its text form. */
export const pieceBytes = 512 * 1024;

/** A piece is safe with the commit that makes its file whole: the log of Postgres is written in order, and `finishFile` counts the bytes. */
const deferSync = defineStatement<object, unknown>(
  'defer_sync_of_file_piece',
  `SELECT set_config('synchronous_commit', 'off', true)`,
);

interface NewPiece {
  fileId: string;
  attempt: string;
  position: number;
  bytes: Uint8Array;
}

const insertPiece = defineStatement<NewPiece, object>(
  'insert_file_piece',
  `INSERT INTO file_pieces (file_id, position, bytes)
   SELECT id, :position::int, :bytes::bytea FROM files WHERE id = :fileId AND attempt = :attempt AND NOT is_whole
   FOR KEY SHARE RETURNING position`,
);

const readPiece = defineStatement<{ fileId: string; position: number }, { bytes: Buffer }>(
  'read_file_piece',
  'SELECT bytes FROM file_pieces WHERE file_id = :fileId AND position = :position',
);

const readRow = defineStatement<{ fileId: string }, { bytes: Buffer | null }>(
  'read_bytes_of_file',
  'SELECT bytes FROM files WHERE id = :fileId AND is_whole',
);

type Pieces = Pick<Database, 'pipelined'>;
interface Place {
  workspaceId: string;
  id: string;
}

/** Stores the next piece of a file, in its own transaction. False when the row of this attempt is gone. */
export async function storePiece(
  { pipelined }: Pieces,
  { workspaceId, id }: Place,
  piece: Omit<NewPiece, 'fileId'>,
): Promise<boolean> {
  const [, stored] = await pipelined(workspaceId, (query) =>
    Promise.all([query(deferSync, {}), query(insertPiece, { fileId: id, ...piece })]),
  );
  return stored.length > 0;
}

/** Reads the pieces of a file in their order, each when it is asked for. Ends early for a file that is deleted meanwhile. */
export async function* readPieces(
  { pipelined }: Pieces,
  { workspaceId, id }: Place,
): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position += 1) {
    const [piece] = await pipelined(workspaceId, (query) => query(readPiece, { fileId: id, position }));
    if (!piece) return;
    yield piece.bytes;
  }
}

/** Reads the bytes of a file that are in its row; null when the file is gone. */
export async function readBytesOfRow(
  { pipelined }: Pieces,
  { workspaceId, id }: Place,
): Promise<Buffer | null> {
  const [row] = await pipelined(workspaceId, (query) => query(readRow, { fileId: id }));
  return row?.bytes ?? null;
}
