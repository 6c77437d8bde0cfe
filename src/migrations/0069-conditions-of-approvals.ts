import type { Knex } from 'knex';

/** Programs that do not know the column store actions without conditions. */
export const isCompatible = true;

/** Adds the conditions for which a call asks: a JSON array of sentences. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE pending_actions ADD COLUMN asked_because jsonb NOT NULL DEFAULT '[]'`);
}
