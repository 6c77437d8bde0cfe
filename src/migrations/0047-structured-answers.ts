import type { Knex } from 'knex';

/** Programs that do not know the columns ask for text, and answer turns with a schema by text. */
export const isCompatible = true;

/**
 * Adds the schema that the final answer of a turn satisfies, and that answer as JSON. Both keep the order of their keys, in
 * which models write the fields. `refused` says what is wrong with an answer after which the model was asked again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE turns ADD COLUMN response_schema json, ADD COLUMN answer_json json;
    ALTER TABLE messages ADD COLUMN refused jsonb;
  `);
}
