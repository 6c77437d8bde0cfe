import type { Knex } from 'knex';

/** Programs that do not know this migration run on its schema. */
export const isCompatible = true;

/** The size of an agent version's tools as JSON; null for versions that an older program has stored. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE agent_versions ADD COLUMN tool_bytes integer');
}
