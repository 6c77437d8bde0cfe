import { hideFromOthers, isInside, isOfPerson, isolateTable } from '../isolate.ts';

const tables = `
CREATE TABLE files (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT current_workspace() REFERENCES workspaces,
  -- The turn whose tool stored the file; null for files that were uploaded.
  turn_id uuid,
  name text, media_type text NOT NULL,
  -- Not known while the file is uploaded.
  size bigint,
  sha256 text NOT NULL,
  pages integer, width integer, height integer,
  -- Where the bytes are: in this row, in rows of file_pieces, or in the object object_key of a bucket.
  place text NOT NULL DEFAULT 'row' CHECK (place IN ('row', 'pieces', 'bucket')),
  bytes bytea,
  object_key text,
  -- A file is not whole while it is uploaded; nothing reads it then.
  is_whole boolean NOT NULL DEFAULT true,
  -- Tells the uploads with one Idempotency-Key apart, which have one id: only the bytes and the end of the upload that has
  -- begun the row belong to it.
  attempt uuid,
  -- Null for files of tools.
  created_by jsonb,
  -- The normal form of the name of the person to whom it belongs; null for the workspace alone.
  person text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The conversations for which a user token uploaded it; null for other uploads.
  conversations uuid[],
  CONSTRAINT files_size CHECK (size IS NOT NULL OR NOT is_whole),
  CONSTRAINT files_object_key CHECK ((place = 'bucket') = (object_key IS NOT NULL)),
  -- A use names a file of its workspace only.
  CONSTRAINT files_of_workspace UNIQUE (workspace_id, id)
);
CREATE INDEX ON files (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX files_uploaded ON files (workspace_id, id) WHERE created_by IS NOT NULL;
CREATE INDEX files_unfinished ON files (created_at) WHERE NOT is_whole;
-- An import takes the oldest whole upload with the content of a file. Tools may have stored the same content any number of
-- times, and people may have uploaded it as often.
CREATE INDEX files_sha256 ON files (workspace_id, sha256, id) WHERE created_by IS NOT NULL AND is_whole;

CREATE TABLE file_pieces (
  file_id uuid NOT NULL REFERENCES files ON DELETE CASCADE,
  position integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  bytes bytea NOT NULL,
  PRIMARY KEY (file_id, position)
);
-- Images and PDFs are compressed already, and trying costs more than it saves.
ALTER TABLE file_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX ON file_pieces (workspace_id);

-- The text of a file, as far as models get it: empty for a file that has none.
CREATE TABLE file_texts (
  file_id uuid PRIMARY KEY REFERENCES files ON DELETE CASCADE,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  text text NOT NULL,
  -- The length of the whole text.
  characters integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON file_texts (workspace_id);

-- The turns whose messages name a file. A file cannot be deleted while it has uses: a deletion removes them first, so a
-- message that is stored at the same moment either finds the file or keeps it.
CREATE TABLE file_uses (
  turn_id uuid NOT NULL REFERENCES turns ON DELETE CASCADE,
  file_id uuid NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  PRIMARY KEY (turn_id, file_id),
  FOREIGN KEY (workspace_id, file_id) REFERENCES files (workspace_id, id)
);
CREATE INDEX ON file_uses (workspace_id, file_id);
`;

/**
 * Objects of buckets whose files were deleted, until the bucket has removed them too. A trigger writes them, whichever
 * statement deletes the file. The table belongs to no workspace, since it outlives those that are deleted.
 */
const removedObjects = `
CREATE TABLE removed_objects (
  object_key text PRIMARY KEY,
  -- False for uploads that broke off, which may have left parts.
  is_whole boolean NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON removed_objects (next_try_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON removed_objects TO holdfast_system;

-- A request to the bucket that was given up may still arrive there and write its object after a removal. So the object of
-- an upload that broke off is removed when no request of it can be on its way any more.
CREATE FUNCTION queue_removed_object() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO removed_objects (object_key, is_whole, next_try_at) VALUES (OLD.object_key, OLD.is_whole,
    CASE WHEN OLD.is_whole THEN now() ELSE now() + interval '15 minutes' END) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER files_removed_object AFTER DELETE ON files
  FOR EACH ROW WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION queue_removed_object();
`;

const isUsed = `EXISTS (SELECT FROM file_uses u JOIN turns t ON t.id = u.turn_id
  WHERE u.workspace_id = files.workspace_id AND u.file_id = files.id)`;

/**
 * A user token for some conversations sees the files that were uploaded for no others, those that messages there name, and
 * those of tools there.
 */
const named = `
CREATE POLICY named_by_token ON files AS RESTRICTIVE TO holdfast_app
  USING ((SELECT current_conversations()) IS NULL OR conversations <@ (SELECT current_conversations())
    OR ${isInside('turns', 'files.turn_id')} OR ${isUsed});
`;

/** Files with their bytes and texts, the turns that use them, and the objects of buckets that are to be removed. */
export const files = `
${tables}
${removedObjects}
${['files', 'file_pieces', 'file_texts', 'file_uses'].map(isolateTable).join('')}
${hideFromOthers('files', `${isOfPerson} OR ${isInside('turns', 'files.turn_id')} OR ${isUsed}`)}
${hideFromOthers('file_pieces', isInside('files', 'file_pieces.file_id'))}
${hideFromOthers('file_texts', isInside('files', 'file_texts.file_id'))}
${named}`;
