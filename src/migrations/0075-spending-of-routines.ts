import type { Knex } from 'knex';

/** Programs that do not know the column let runs spend what budgets allow. */
export const isCompatible = true;

/** Adds the most credits that a run of a routine may cost, with the runs that it starts; null for no limit. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE workspaces ADD COLUMN routine_credits bigint CHECK (routine_credits > 0)');
}
