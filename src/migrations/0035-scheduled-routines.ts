import type { Knex } from 'knex';

/** Programs that do not know it cannot run schedules of routines: Temporal tries their steps again. */
export const isCompatible = true;

const column = 'ALTER TABLE schedule_runs ADD COLUMN routine_run_id uuid';

/** Lets a schedule start runs of a routine. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(column);
}
