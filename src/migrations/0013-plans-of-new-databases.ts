import type { Knex } from 'knex';

/**
 * Row-level security adds the workspace to each condition. In a database without statistics an index that begins with
 * the workspace then looks as good as the primary key, and each look for one turn read all turns of the workspace. An
 * index of settled turns alone cannot be used for that, and the index of running turns finds each of them by its id.
 */
const indexes = `
DROP INDEX turns_workspace_id_created_at_idx;
CREATE INDEX turns_settled ON turns (workspace_id, created_at) WHERE settled_at IS NOT NULL;
DROP INDEX turns_unsettled;
CREATE INDEX turns_running ON turns (id) WHERE status = 'running';
`;

/** Programs that do not know this migration use other indexes. */
export const isCompatible = true;

/** Lets statements find turns by their ids in new databases too. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexes);
}
