import type { Knex } from 'knex';

/** Programs that do not know this migration run on its schema. */
export const isCompatible = true;

const refreshLease = `
-- The process that refreshes the tokens of the connection now, and until when no other one may.
ALTER TABLE connections ADD COLUMN refresh_holder uuid, ADD COLUMN refresh_until timestamptz;
`;

/** A lease for token refreshes, which are requests to other servers and must not be made inside a transaction. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(refreshLease);
}
