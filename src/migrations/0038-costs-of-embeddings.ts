import type { Knex } from 'knex';

/** Programs that do not know it count no embeddings. */
export const isCompatible = true;

/** Not validated: the old constraint allows less, so rows that are there fit the new one. */
const kinds = `
ALTER TABLE credit_entries
  DROP CONSTRAINT credit_entries_kind_check,
  ADD CONSTRAINT credit_entries_kind_check CHECK (kind IN ('model', 'tool', 'replay', 'embedding')) NOT VALID;
`;

/** Lets the ledger of credits have entries of embeddings. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(kinds);
}
