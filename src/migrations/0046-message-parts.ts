import type { Knex } from 'knex';
import { isolateTable } from './isolate.ts';

/** Programs that do not know the column show the text of a message and send it to models. */
export const isCompatible = true;

/** The text of a file, as far as models get it: empty for a file that has none. */
const fileTexts = `
CREATE TABLE file_texts (
  file_id uuid PRIMARY KEY REFERENCES blobs ON DELETE CASCADE,
  workspace_id uuid NOT NULL DEFAULT current_workspace(),
  text text NOT NULL,
  -- The length of the whole text.
  characters integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON file_texts (workspace_id);
`;

/** Adds the parts of messages, null for a message that is text only, and finds files by their content for imports. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE messages ADD COLUMN parts jsonb;
    CREATE INDEX blobs_sha256 ON blobs (workspace_id, sha256);
  `);
  await knex.raw(fileTexts);
  await knex.raw(isolateTable('file_texts'));
}
