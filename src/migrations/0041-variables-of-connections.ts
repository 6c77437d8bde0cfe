import type { Knex } from 'knex';

/** Programs that do not know the column keep it as it is, and use connections that need none. */
export const isCompatible = true;

/** Adds the variables of a provider's address to connections. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE connections ADD COLUMN variables jsonb');
}
