import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { allowPrograms, migrateDatabase } from '../../../src/platform/database/migrate.ts';
import { readMigrations } from '../../../src/platform/database/migration-source.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createLogin, runAsOwner } from '../../labs/database-login.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../labs/postgres.ts';

async function openProgramLogin() {
  const database = await createTestDatabase();
  const login = await createLogin(database.url);
  await allowPrograms(database.url, login.url);
  const close = async () => {
    await database.drop();
    await login.close();
  };
  return { owner: database.url, url: login.url, close };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe('a login that only has the roles of the programs', () => {
  const login = openForTests(openProgramLogin);

  test('passes the check of a program at start', async () => {
    await expect(migrateDatabase(login.url)).resolves.toEqual([]);
  });

  test('reads and writes what the programs read and write', async () => {
    const database = connectDatabase({ url: login.url });
    onTestFinished(database.close);
    const id = newId();
    await database.system('workspaces').insert({ id, name: 'Mine' });
    const names = await database.inWorkspace(id, (trx) => trx('workspaces').pluck<string[]>('name'));
    expect(names).toEqual(['Mine']);
  });

  test.each([
    'ALTER TABLE turns ADD COLUMN mine text',
    'ALTER TABLE turns DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE turns NO FORCE ROW LEVEL SECURITY',
    'DROP POLICY own_workspace ON turns',
    'CREATE POLICY mine ON turns USING (true)',
    'DROP TABLE turns',
    'TRUNCATE audit_events',
    "UPDATE audit_events SET payload = '{}'",
    'DELETE FROM audit_events',
    'UPDATE audit_heads SET seq = 0',
    'DELETE FROM audit_heads',
    'ALTER TABLE audit_events DISABLE TRIGGER ALL',
    'DELETE FROM audit_pending',
    'UPDATE audit_lanes SET position = 0',
    'UPDATE audit_lanes_chained SET fault = NULL',
    'INSERT INTO audit_events (seq) VALUES (1)',
    'INSERT INTO audit_events (payload) VALUES (NULL)',
    'INSERT INTO audit_pending (created_at) VALUES (now())',
    'ALTER TABLE audit_pending DISABLE TRIGGER ALL',
    'DROP TRIGGER link_pending_audit_event ON audit_pending',
    'CREATE OR REPLACE FUNCTION link_pending_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'SET session_replication_role = replica',
    'CREATE TABLE mine (id integer)',
    "UPDATE installation SET id = 'other'",
    'DELETE FROM applied_migrations',
    'SELECT FROM knex_migrations',
    'SET ROLE holdfast',
    'ALTER ROLE holdfast_app SUPERUSER',
    'ALTER ROLE holdfast_app BYPASSRLS',
  ])('may not run: %s', async (statement) => {
    const client = await connect(login.url);
    for (const role of ['NONE', 'holdfast_app', 'holdfast_system']) {
      await client.query(`SET ROLE ${role}`);
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be (owner|able)/);
    }
  });

  test('is told to let the owner migrate when a migration is missing', async () => {
    await runAsOwner(login.owner, "DELETE FROM applied_migrations WHERE name = '0001-baseline'");
    await expect(migrateDatabase(login.url)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(
        /lacks the migrations 0001-baseline.*holdfast migrate.*DATABASE_OWNER_URL/,
      ) as string,
    });
  });
});

/** Opens a database, and a login of its own. Both are dropped after the test. */
async function openPair(create: () => Promise<TestDatabase>, options = '') {
  const database = await create();
  const login = await createLogin(database.url, options);
  onTestFinished(async () => {
    await database.drop();
    await login.close();
  });
  return { server: database.url, ...login };
}

describe('a login with too few rights', () => {
  test('is told how the database comes to its tables', async () => {
    const { name, url } = await openPair(createEmptyDatabase);
    await expect(migrateDatabase(url)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringMatching(
        `no tables of Holdfast.*"${name}" may not create them.*OWNER TO "${name}"`,
      ) as string,
    });
  });

  test('is told to ask for the roles of the programs', async () => {
    const { name, url } = await openPair(createTestDatabase);
    await expect(migrateDatabase(url)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(`GRANT holdfast_app, holdfast_system TO "${name}"`) as string,
    });
  });
});

describe('a login without CREATEROLE that may create tables', () => {
  async function openCreator() {
    const pair = await openPair(createEmptyDatabase);
    await runAsOwner(pair.server, `GRANT CREATE ON SCHEMA public TO ${pair.name}`);
    return pair;
  }

  test('migrates an empty database when it was given the roles of the programs', async () => {
    const { name, url, server } = await openCreator();
    await runAsOwner(server, `GRANT holdfast_app, holdfast_system TO ${name}`);
    await expect(migrateDatabase(url)).resolves.toEqual((await readMigrations()).names);
  });

  test('is told which roles it lacks otherwise', async () => {
    const { url } = await openCreator();
    await expect(migrateDatabase(url)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
