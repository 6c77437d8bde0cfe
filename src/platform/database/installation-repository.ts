import type { Knex } from 'knex';

/** Reads the id of the installation, which is unique to its database. */
export async function getInstallationId(system: Knex): Promise<string> {
  const row = await system<{ id: string }>('installation').first('id');
  if (!row) throw new Error('the table installation is empty: a migration writes its one row');
  return row.id;
}
