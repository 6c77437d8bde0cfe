import type { Knex } from 'knex';

/** Programs that do not know the column tell people the standard sentence. */
export const isCompatible = true;

/** Adds the text that people read when a budget ends their turn; null for the standard sentence. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE budgets ADD COLUMN message text');
}
