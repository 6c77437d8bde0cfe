import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know it store and read files whose bytes are in their row; they find no bytes in others. */
export const isCompatible = true;

/**
 * `place` says where the bytes of a file are: in its row, in rows of `blob_pieces`, or in the object `object_key` of a
 * bucket. A file is not whole while it is uploaded; nobody can read it then. Files that were uploaded have `created_by`.
 */
const files = `
ALTER TABLE blobs
  ALTER COLUMN bytes DROP NOT NULL,
  ADD COLUMN place text NOT NULL DEFAULT 'row' CHECK (place IN ('row', 'pieces', 'bucket')),
  ADD COLUMN object_key text,
  ADD COLUMN is_whole boolean NOT NULL DEFAULT true,
  -- Null for files of older programs: the length of their bytes.
  ADD COLUMN size bigint,
  ADD COLUMN pages integer,
  ADD COLUMN width integer,
  ADD COLUMN height integer,
  ADD COLUMN created_by jsonb,
  ADD CONSTRAINT blobs_object_key CHECK ((place = 'bucket') = (object_key IS NOT NULL));
-- Replaces the index of the same columns, so that a use names a file of its own workspace only.
DROP INDEX blobs_workspace_id_id_idx;
ALTER TABLE blobs ADD CONSTRAINT blobs_of_workspace UNIQUE (workspace_id, id);
CREATE INDEX blobs_uploaded ON blobs (workspace_id, id) WHERE created_by IS NOT NULL;
CREATE INDEX blobs_unfinished ON blobs (created_at) WHERE NOT is_whole;

CREATE TABLE blob_pieces (
  blob_id uuid NOT NULL REFERENCES blobs ON DELETE CASCADE,
  position integer NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  bytes bytea NOT NULL,
  PRIMARY KEY (blob_id, position)
);
-- Images and PDFs are compressed already, and trying costs more than it saves.
ALTER TABLE blob_pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX ON blob_pieces (workspace_id);
`;

/**
 * The turns whose messages name a file. A file cannot be deleted while it has uses: whoever deletes it removes them first,
 * so a message that is stored at the same moment either finds the file or keeps it.
 */
const fileUses = `
CREATE TABLE file_uses (
  turn_id uuid NOT NULL REFERENCES turns ON DELETE CASCADE,
  file_id uuid NOT NULL,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  PRIMARY KEY (turn_id, file_id),
  FOREIGN KEY (workspace_id, file_id) REFERENCES blobs (workspace_id, id)
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
REVOKE ALL ON removed_objects FROM holdfast_app;

CREATE FUNCTION queue_removed_object() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO removed_objects (object_key, is_whole) VALUES (OLD.object_key, OLD.is_whole) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER blobs_removed_object AFTER DELETE ON blobs
  FOR EACH ROW WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION queue_removed_object();
`;

/** Adds uploaded files, in pieces or in buckets, and the turns that use them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(files);
  await knex.raw(fileUses);
  await knex.raw(removedObjects);
  await knex.raw(['blob_pieces', 'file_uses'].map(isolateTable).join('\n'));
}
