import type { Knex } from 'knex';

/** Programs that do not know the columns store and read the same counts, without saying which of them are estimates. */
export const isCompatible = true;

/** Lets counts of tokens say that the vendor has not reported all of them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE turns ADD COLUMN usage_estimated boolean NOT NULL DEFAULT false;
    ALTER TABLE usage ADD COLUMN usage_estimated boolean NOT NULL DEFAULT false;
    ALTER TABLE compactions ADD COLUMN usage_estimated boolean NOT NULL DEFAULT false;
  `);
}
