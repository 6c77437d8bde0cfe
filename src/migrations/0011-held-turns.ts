import type { Knex } from 'knex';

/** The change waits for no row. */
export const config = { transaction: false };

/**
 * Lets a turn name the process that runs its steps (`held_by`), so that the writes of a process that has lost the turn change
 * nothing. It is null while workflow code runs the steps.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE turns ADD COLUMN IF NOT EXISTS held_by uuid');
}
