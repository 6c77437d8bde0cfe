import knexFactory, { type Knex } from 'knex';
import { HoldfastError } from '../domain/errors.ts';
import { migrationNames, migrationSource } from './migration-source.ts';

/** Any number that no other program on the same database uses for an advisory lock. */
const migrationLock = 7_042_331;

/**
 * Migrates a database to the schema of this version. When several processes call this, one migrates and the rest wait.
 * @throws HoldfastError `CONFLICT` when a newer version migrated the database; then nothing is changed
 */
export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const knex = knexFactory({ client: 'pg', connection: databaseUrl, pool: { min: 1, max: 2 } });
  try {
    await knex.transaction(async (lock) => {
      await lock.raw('SELECT pg_advisory_xact_lock(?)', [migrationLock]);
      await refuseNewerDatabase(knex);
      await knex.migrate.forceFreeMigrationsLock({ migrationSource });
      await knex.migrate.latest({ migrationSource });
    });
  } finally {
    await knex.destroy();
  }
}

async function refuseNewerDatabase(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasTable('knex_migrations'))) return;
  const applied = await knex('knex_migrations').pluck<string[]>('name');
  const foreign = applied.filter((name) => !migrationNames.includes(name));
  if (foreign.length === 0) return;
  throw new HoldfastError(
    'CONFLICT',
    `The database was made by a newer version of Holdfast: it has the migrations ${foreign.join(', ')}, ` +
      `this version knows up to ${migrationNames.at(-1) ?? 'none'}. Nothing was changed. ` +
      'Start the newer version, or use another database.',
  );
}
