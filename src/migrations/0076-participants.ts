import type { Knex } from 'knex';

/** Programs that do not know the column count nobody for a changed swarm. */
export const isCompatible = true;

/**
 * Adds the actors who changed the state of a swarm, which all of its members see; `added_by` of a subtask is not used any more.
 * `emitted_by` of an event of routines is from now on a list, since all who took part in a run emit its events.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE swarms ADD COLUMN participants jsonb NOT NULL DEFAULT '[]'`);
}
