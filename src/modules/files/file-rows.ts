import type { FileFacts } from '../../domain/file.ts';

/** Where the bytes of a file are: in its row, in rows of pieces, or in a bucket. */
export type FileStorage = 'row' | 'pieces' | 'bucket';

/** A row of `files` without its bytes. */
export interface FileRow {
  id: string;
  turn_id: string | null;
  name: string | null;
  media_type: string;
  place: FileStorage;
  object_key: string | null;
  is_whole: boolean;
  size: number;
  sha256: string;
  pages: number | null;
  width: number | null;
  height: number | null;
  created_by: object | null;
  person: string | null;
  created_at: Date;
}

/** The columns of {@link FileRow}. The bytes are left out, since they may be large. */
export const fileColumns = `id, turn_id, name, media_type, place, object_key, is_whole,
  size, sha256, pages, width, height, created_by, person, created_at`;

/** Maps a row to the facts that the API shows. */
export function toFileFacts(row: FileRow): FileFacts {
  const { id, name, size, sha256, pages, width, height } = row;
  return {
    ...{ id, name, mediaType: row.media_type, size, sha256, pages, width, height },
    createdAt: row.created_at.toISOString(),
  };
}
