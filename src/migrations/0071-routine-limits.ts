import type { Knex } from 'knex';

/** Programs that do not know the columns limit no run. */
export const isCompatible = true;

/** Adds the most steps and hours that a run of a routine may take; null for the defaults. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `ALTER TABLE workspaces ADD COLUMN routine_steps int CHECK (routine_steps > 0),
       ADD COLUMN routine_hours int CHECK (routine_hours > 0)`,
  );
}
