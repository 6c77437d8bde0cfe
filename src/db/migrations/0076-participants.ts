import type { Knex } from 'knex';

/**
 * Adds the actors who changed the state of a swarm, which all of its members see; until now a subtask alone was to name its
 * author. `emitted_by` of an event of routines is from now on a list, since all who took part in a run emit its events.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
ALTER TABLE swarms ADD COLUMN participants jsonb NOT NULL DEFAULT '[]';
ALTER TABLE swarm_subtasks DROP COLUMN added_by;
`);
}
