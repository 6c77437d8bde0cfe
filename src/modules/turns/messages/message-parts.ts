import { createInvalidInput, type HoldfastError } from '../../../domain/errors.ts';
import { partMediaTypes, type FilePart, type MessageContent } from '../../../domain/message-part.ts';
import { isFilePart } from '../../../domain/message-text.ts';
import { defineStatement, type Query } from '../../../platform/database/statement.ts';

/** Files that a message names; `:parts` holds its parts as JSON. */
const namedFiles = `SELECT DISTINCT (part ->> 'fileId')::uuid AS id, part ->> 'type' AS type
  FROM jsonb_array_elements(:parts::jsonb) AS part WHERE part ? 'fileId'`;

/** A condition: messages may name the file `f`, which is an upload or of a tool result. Files of documents go with them. */
const isUsable = 'f.is_whole AND (f.created_by IS NOT NULL OR f.turn_id IS NOT NULL)';

/** A condition: the file `f` is of the kind that the part `w` is for. */
const fits = Object.entries(partMediaTypes)
  .map(([type, prefix]) => `(w.type <> '${type}' OR f.media_type LIKE '${prefix}%')`)
  .join(' AND ');

/** SQL of a statement whose message has parts: the files that it names, which cannot be deleted until it is stored. */
export const findNamedFiles = `wanted AS MATERIALIZED (
  ${namedFiles}
), found AS MATERIALIZED (
  SELECT f.id FROM wanted w JOIN files f ON f.id = w.id AND ${isUsable} WHERE ${fits} FOR KEY SHARE OF f
)`;

/** A condition: every file that the message names exists. */
export const hasNamedFiles = '(SELECT count(*) FROM wanted) = (SELECT count(*) FROM found)';

/** SQL that notes the files of a message as used by the turn that a statement inserts as `turn`. */
export const insertFileUses = `INSERT INTO file_uses (turn_id, file_id) SELECT DISTINCT turn.id, wanted.id FROM turn, wanted`;

const listFound = defineStatement<{ parts: string }, { id: string; mediaType: string }>(
  'list_named_files',
  `SELECT DISTINCT f.id, f.media_type AS "mediaType" FROM (${namedFiles}) AS w JOIN files f ON f.id = w.id AND ${isUsable}`,
);

/** Returns the error of a message that names files which are not there, or not of the kind of their parts; null for others. */
export async function findMissingFiles(query: Query, content: MessageContent): Promise<HoldfastError | null> {
  if (typeof content === 'string') return null;
  const found = await query(listFound, { parts: JSON.stringify(content) });
  const types = new Map(found.map(({ id, mediaType }) => [id, mediaType]));
  const errors = content.flatMap((part, index) => {
    const message = isFilePart(part) ? describeProblem(part, types.get(part.fileId)) : null;
    return message === null ? [] : [{ field: `message.${index}.fileId`, message }];
  });
  return errors.length === 0 ? null : createInvalidInput(errors);
}

function describeProblem({ type, fileId }: FilePart, mediaType: string | undefined): string | null {
  if (mediaType === undefined) return `expected the id of a file of this workspace, found ${fileId}`;
  if (type === 'file' || mediaType.startsWith(partMediaTypes[type])) return null;
  return `expected a file of a type ${partMediaTypes[type]}…, found ${mediaType}: send it as a part of type "file"`;
}
