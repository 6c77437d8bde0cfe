import type { Knex } from 'knex';

/** Programs that do not know the column leave it empty. */
export const isCompatible = true;

/** Adds the names of the connections whose credentials the call of an action carries. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE pending_actions ADD COLUMN connections jsonb NOT NULL DEFAULT '[]'`);
}
