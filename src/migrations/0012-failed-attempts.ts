import type { Knex } from 'knex';

/** Programs that do not know the column leave it empty. */
export const isCompatible = true;

/** Adds the attempts of a turn's steps that failed and were made again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE turns ADD COLUMN failed_attempts jsonb NOT NULL DEFAULT '[]'`);
}
