import type { Knex } from 'knex';

/** Programs that do not know it read routines without an agent only when somebody stores one. */
export const isCompatible = true;

/** A routine without an agent acts as the one that starts it. */
const agents = `
ALTER TABLE routines ALTER COLUMN agent_id DROP NOT NULL;
ALTER TABLE routine_versions ALTER COLUMN agent_id DROP NOT NULL;
`;

/** Lets routines name no agent. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(agents);
}
