import type { Knex } from 'knex';

/** Programs that do not know it find the same rows, more slowly. */
export const isCompatible = true;

/** Few of the events tell of a model that was passed over, so that the index costs nearly nothing. */
const index = `CREATE INDEX events_passed_models ON events (workspace_id, created_at) WHERE type = 'model.passed'`;

/** Lets the figures of models count those that were passed over. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(index);
}
