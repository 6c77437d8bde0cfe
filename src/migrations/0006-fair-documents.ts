import type { Knex } from 'knex';

/** Programs that do not know the columns leave them empty. */
export const isCompatible = true;

/**
 * The newest generation whose workflow is known to have started, and when the sweeper last looked at a document. The
 * index lists the documents that wait for a workflow, which are few however many are processed.
 */
const columns = `
ALTER TABLE documents ADD COLUMN started_generation integer, ADD COLUMN swept_at timestamptz;
CREATE INDEX documents_unstarted ON documents (updated_at)
  WHERE status = 'queued' AND started_generation IS DISTINCT FROM generation;
`;

/** Lets the sweeper find the documents that were never started without asking for all that are processed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(columns);
}
