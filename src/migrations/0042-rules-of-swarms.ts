import type { Knex } from 'knex';

/** Programs that do not know the column start swarms without the rules of the turns above. */
export const isCompatible = true;

/** Adds to a swarm the agents of the turns above it, whose rules hold for the turns of its members. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE swarms ADD COLUMN rule_sources jsonb NOT NULL DEFAULT '[]'`);
}
