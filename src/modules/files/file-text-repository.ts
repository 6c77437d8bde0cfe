import type { PartFile } from '../../domain/message-part.ts';
import type { FileText } from '../../domain/part-text.ts';
import { toStorableText } from '../../domain/storable.ts';
import { defineStatement, type Query } from '../../platform/database/statement.ts';
import { fileFacts } from './message-files.ts';

interface NewText extends FileText {
  fileId: string;
}

/** The files of messages, and the texts that were read from them. */
export function createFileTextRepository(query: Query) {
  return {
    /** The facts of files; those that were deleted are missing. */
    listFiles: async (ids: readonly string[]): Promise<PartFile[]> => {
      const rows = await query(listFiles, { ids: JSON.stringify(ids) });
      return rows.map(({ file }) => file);
    },

    /** Null for a file that was not read yet. */
    findText: async (fileId: string): Promise<FileText | null> => {
      const [row] = await query(findText, { fileId });
      return row ?? null;
    },

    /** Stores a text unless it is there, or its file was deleted. */
    storeText: async ({ fileId, text, characters }: NewText): Promise<void> => {
      await query(storeText, { fileId, text: toStorableText(text), characters });
    },
  };
}

const listFiles = defineStatement<{ ids: string }, { file: PartFile }>(
  'list_files_of_messages',
  `SELECT ${fileFacts} AS file FROM files f
   WHERE f.is_whole AND f.id = ANY (ARRAY(SELECT jsonb_array_elements_text(:ids::jsonb)::uuid))`,
);

const findText = defineStatement<{ fileId: string }, FileText>(
  'find_text_of_file',
  'SELECT text, characters FROM file_texts WHERE file_id = :fileId',
);

const storeText = defineStatement<NewText, unknown>(
  'store_text_of_file',
  `INSERT INTO file_texts (file_id, text, characters)
   SELECT f.id, :text, :characters::int FROM files f WHERE f.id = :fileId FOR KEY SHARE
   ON CONFLICT (file_id) DO NOTHING`,
);
