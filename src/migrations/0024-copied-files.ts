import type { Knex } from 'knex';

/** Programs that do not know it remove the files of copies with the originals. */
export const isCompatible = true;

/** Finds the copies of a tool call in forks, which have its files too. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'CREATE INDEX tool_calls_recorded ON tool_calls (recorded_call_id) WHERE recorded_call_id IS NOT NULL',
  );
}
