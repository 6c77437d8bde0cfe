import type { Knex } from 'knex';

/** Programs that do not know it list the same rows in another order. */
export const isCompatible = true;

/** The ids of runs and of swarms come from hashes, so lists are ordered by the time of creation. */
const indexes = `
DROP INDEX routine_runs_workspace_id_id_idx;
DROP INDEX routine_runs_routine_id_id_idx;
DROP INDEX swarms_workspace_id_id_idx;
CREATE INDEX ON routine_runs (workspace_id, created_at, id);
CREATE INDEX ON routine_runs (routine_id, created_at, id);
CREATE INDEX ON swarms (workspace_id, created_at, id);
`;

/** Adds indexes for the lists of runs and of swarms. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexes);
}
