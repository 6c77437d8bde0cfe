import knexFactory, { type Knex } from 'knex';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { migrateDatabase } from '../../../src/platform/database/migrate.ts';
import { readMigrations } from '../../../src/platform/database/migration-source.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createEmptyDatabase, createTestDatabase } from '../../labs/postgres.ts';

const { names: migrationNames } = await readMigrations();

let knex: Knex;
let url: string;

beforeEach(async () => {
  const database = await createEmptyDatabase();
  url = database.url;
  knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
  onTestFinished(async () => {
    await knex.destroy();
    await database.drop();
  });
});

async function readApplied(): Promise<string[]> {
  return knex('knex_migrations').orderBy('id').pluck<string[]>('name');
}

/** Leaves the database as a later version would. Null leaves out the note about the migration. */
async function applyFutureMigration(isCompatible: boolean | null): Promise<void> {
  const name = '9999-from-the-future';
  await knex('knex_migrations').insert({ name, batch: 2, migration_time: new Date() });
  if (isCompatible !== null) await knex('applied_migrations').insert({ name, is_compatible: isCompatible });
  await knex.raw('ALTER TABLE workspaces ADD COLUMN colour text');
}

/** Returns all parts of a schema as one text, for comparisons. */
async function describeSchema(database: Knex): Promise<string> {
  const { rows } = await database.raw<{ rows: unknown[] }>(
    `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY table_name, column_name`,
  );
  return JSON.stringify(rows);
}

describe('a migration', () => {
  test('of an empty database applies all migrations, under names without a file extension', async () => {
    await migrateDatabase(url);

    expect(await readApplied()).toEqual(migrationNames);
    for (const name of migrationNames) expect(name).not.toContain('.');
  });

  test('that is repeated changes nothing', async () => {
    await migrateDatabase(url);
    const before = await describeSchema(knex);
    await knex('workspaces').insert({ id: newId(), name: 'Kept' });
    await migrateDatabase(url);

    expect(await readApplied()).toEqual(migrationNames);
    expect(await describeSchema(knex)).toBe(before);
    expect(await knex('workspaces').pluck<string[]>('name')).toEqual(['Kept']);
  });

  test('that many processes start at once runs once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(url)));

    expect(await readApplied()).toEqual(migrationNames);
  });

  test('that waits for another one keeps no transaction open, for which its indexes would wait', async () => {
    const state = `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
      AND application_name = 'waits'`;
    const holder = await knex.transaction();
    await holder.raw('SELECT pg_advisory_xact_lock(7042331)');

    const waiting = migrateDatabase(`${url}?application_name=waits`);
    const readStates = async () => (await knex.raw<{ rows: { state: string }[] }>(state)).rows;
    await vi.waitFor(async () => expect(await readStates()).toContainEqual({ state: 'idle' }), 20_000);
    await holder.rollback();

    expect(await waiting).toEqual(migrationNames);
  });

  test('continues after a process that died while it held the migration lock', async () => {
    await migrateDatabase(url);
    await knex('knex_migrations_lock').update({ is_locked: 1 });

    await expect(migrateDatabase(url)).resolves.toEqual([]);
  });

  test('notes which migrations an older version may not ignore', async () => {
    await migrateDatabase(url);

    const noted = await knex('applied_migrations').orderBy('name').pluck<string[]>('name');
    const breaking = await knex('applied_migrations').where({ is_compatible: false }).pluck<string[]>('name');
    expect(noted).toEqual(migrationNames);
    expect(breaking).toEqual(['0001-baseline']);
  });

  test('leaves a database alone that is newer by migrations marked compatible', async () => {
    await migrateDatabase(url);
    await applyFutureMigration(true);
    const before = [await describeSchema(knex), await readApplied()];

    await expect(migrateDatabase(url)).resolves.toEqual([]);
    expect([await describeSchema(knex), await readApplied()]).toEqual(before);
  });

  test.each([
    ['a breaking migration', false],
    ['a migration of which nothing is noted', null],
  ])(
    'of a database that is newer by %s is refused, and nothing in it is changed',
    async (_, isCompatible) => {
      await migrateDatabase(url);
      await applyFutureMigration(isCompatible);
      const before = [await describeSchema(knex), await readApplied()];

      await expect(migrateDatabase(url)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/newer version.*9999-from-the-future/) as string,
      });
      expect([await describeSchema(knex), await readApplied()]).toEqual(before);
    },
  );

  test('fails with a clear message when no database answers at the address', async () => {
    await expect(migrateDatabase('postgres://nobody@127.0.0.1:9/nothing')).rejects.toThrow(/ECONNREFUSED/);
  });
});

test('the database roles of the program own nothing and cannot change the schema', async () => {
  const copy = await createTestDatabase();
  const database = connectDatabase({ url: copy.url });
  onTestFinished(async () => {
    await database.close();
    await copy.drop();
  });
  const create = 'CREATE TABLE mine (id integer)';
  await expect(database.system.raw(create)).rejects.toThrow(/permission denied/);
  await expect(database.inWorkspace(newId(), (trx) => trx.raw(create))).rejects.toThrow(/permission denied/);
  await expect(database.system('knex_migrations').select()).rejects.toThrow(/permission denied/);
  await expect(database.system.raw('ALTER TABLE turns DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
    /must be owner/,
  );
});
