import type { Knex } from 'knex';

/** Adds to model calls when they began and how long they took. Calls that were stored before have neither. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE usage ADD COLUMN started_at timestamptz, ADD COLUMN duration_ms integer');
}
