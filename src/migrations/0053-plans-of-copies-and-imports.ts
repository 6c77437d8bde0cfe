import type { Knex } from 'knex';

/** Programs that do not know it find the same rows. */
export const isCompatible = true;

/**
 * A fork copies the events of compactions, of which a long turn has few among thousands; so the first index costs nearly
 * nothing. An import takes the oldest whole upload with the content of a file. Tools may have answered with the same content
 * any number of times, and people may have uploaded it as often.
 */
const indexes = `
CREATE INDEX events_compacted ON events (turn_id) WHERE type = 'context.compacted';
DROP INDEX blobs_sha256;
CREATE INDEX blobs_sha256 ON blobs (workspace_id, sha256, id) WHERE created_by IS NOT NULL AND is_whole;
`;

/** Adds an index for the events of compactions, and makes that of contents hold whole uploads only, in their order. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexes);
}
