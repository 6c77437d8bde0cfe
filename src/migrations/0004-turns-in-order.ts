import type { Knex } from 'knex';
import { addIndex } from './add-index.ts';

/** The indexes are built while programs write. */
export const config = { transaction: false };

/**
 * Adds the order in which the turns of a workspace are listed: of all, and of those that are not over. Each has a condition
 * that lists name and looks for one turn do not: in a database without statistics an index of all turns that begins with the
 * workspace looks as good as the primary key.
 */
export async function up(knex: Knex): Promise<void> {
  await addIndex(knex, {
    name: 'turns_in_order',
    on: 'turns (workspace_id, created_at, id) WHERE ordinal > 0',
  });
  await addIndex(knex, {
    name: 'turns_open',
    on: 'turns (workspace_id, created_at, id) WHERE settled_at IS NULL',
  });
}
