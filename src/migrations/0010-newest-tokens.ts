import type { Knex } from 'knex';

/** Adds when the token was issued that said the roles of a person, so that an older one does not bring them back. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS roles_at timestamptz');
}
