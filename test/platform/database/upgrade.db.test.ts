import knexFactory, { type Knex } from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabase } from '../../../src/platform/database/migrate.ts';
import { readMigrations } from '../../../src/platform/database/migration-source.ts';
import { chainAudit } from '../../labs/chain-audit.ts';
import { addRows, listTables, readRows, type Table } from '../../labs/copy-rows.ts';
import { fillWorkspace, recordEvent } from '../../labs/fill-workspace.ts';
import { createMigrationFolder, laterMigrations, realMigrations } from '../../labs/migration-folder.ts';
import { findBrokenRules, findNarrowedChecks, type Checks } from '../../labs/migration-rules.ts';
import { createEmptyDatabase } from '../../labs/postgres.ts';
import { openTurnRows } from '../../labs/turn-rows.ts';

/** The newest migration of the last release. */
const released = /^0001-/;
const now = new Date().toISOString();
/** Rows of tables that belong to no workspace. */
const otherRows: Record<string, object> = {
  rate_limits: { key: 'a', points: 1 },
  model_states: {
    ...{ model: 'a', holder: 'operator', failures: 1, openings: 0, error_code: 'TIMEOUT', failed_at: now },
  },
  removed_objects: { object_key: 'a', is_whole: true, tries: 0, next_try_at: now, created_at: now },
  change_log: { is_only: true, epoch: 'a', pruned: '0' },
  direct_workers: { id: '00000000-0000-4000-8000-000000000001', alive_at: now },
};

function connect(url: string): Knex {
  const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 2 } });
  onTestFinished(() => knex.destroy());
  return knex;
}

async function openEmpty() {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  return { url: database.url, knex: connect(database.url) };
}

/** A database of the last release that has rows in every table. */
async function openReleased() {
  const filled = await openTurnRows();
  onTestFinished(filled.close);
  const place = await filled.createConversation();
  await fillWorkspace(filled, place);
  await chainAudit(filled.database.system);
  await filled.database.inWorkspace(place.workspaceId, recordEvent);
  const newest = connect(filled.url);
  const { url, knex } = await openEmpty();
  await migrateDatabase(url, createMigrationFolder([realMigrations], released));
  const tables = await listTables(knex);
  for (const table of tables) {
    const other = otherRows[table.name];
    await addRows(knex, table, other === undefined ? await readRows(newest, table) : [other]);
  }
  return { url, knex, tables };
}

async function readAll(knex: Knex, tables: Table[]): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const table of tables) all[table.name] = await readRows(knex, table);
  return all;
}

const listInvalidIndexes = (knex: Knex) =>
  knex('pg_class')
    .join('pg_index', 'indexrelid', 'pg_class.oid')
    .where({ indisvalid: false })
    .pluck<string[]>('relname');

async function readChecks(knex: Knex): Promise<Checks> {
  const rows = await knex('pg_constraint')
    .where({ contype: 'c' })
    .select<{ name: string; text: string }[]>(
      knex.raw("conrelid::regclass || '.' || conname AS name, pg_get_constraintdef(oid) AS text"),
    );
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}

test('a database of the last release keeps its rows, and gets later columns and valid indexes', async () => {
  const { url, knex, tables } = await openReleased();
  const before = await readAll(knex, tables);
  expect(tables.map(({ name }) => name).filter((name) => before[name]?.length === 0)).toEqual([]);

  const applied = await migrateDatabase(url, createMigrationFolder([realMigrations, laterMigrations]));
  expect(applied.slice(-2)).toEqual(['9998-later-column', '9999-later-index']);
  expect(await readAll(knex, tables)).toEqual(before);
  await knex.raw('ALTER TABLE webhooks NO FORCE ROW LEVEL SECURITY');
  expect(await knex('webhooks').distinct<object[]>('later_count')).toEqual([{ later_count: 7 }]);
  expect(await listInvalidIndexes(knex)).toEqual([]);
  const indexes = await knex('pg_indexes').where({ tablename: 'webhooks' }).pluck<string[]>('indexname');
  expect(indexes).toEqual(expect.arrayContaining(['webhooks_later', 'webhooks_url']));
});

test('versions of agents in the former execution mode are direct, and those that older programs add', async () => {
  const { url, knex } = await openReleased();
  await knex.raw('ALTER TABLE agent_versions NO FORCE ROW LEVEL SECURITY');
  await knex('agent_versions').update({ execution: 'fast' });
  await knex.raw('ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY');
  await migrateDatabase(url);
  await knex.raw('ALTER TABLE agent_versions NO FORCE ROW LEVEL SECURITY');
  await knex.raw(`INSERT INTO agent_versions SELECT (jsonb_populate_record(v, jsonb_build_object(
    'id', gen_random_uuid(), 'version', v.version + 1000, 'execution', 'fast'))).* FROM agent_versions v`);
  expect(await knex('agent_versions').distinct('execution').pluck('execution')).toEqual(['direct']);
});

test('an index is created again when the attempt before it failed', async () => {
  const { url, knex } = await openEmpty();
  await migrateDatabase(url);
  const webhook = {
    workspace_id: '00000000-0000-4000-8000-000000000001',
    url: 'https://a.example',
    events: [],
  };
  const insert = (id: string) => knex('webhooks').insert({ ...webhook, id });
  await knex.raw('ALTER TABLE webhooks NO FORCE ROW LEVEL SECURITY');
  await insert('00000000-0000-4000-8000-000000000002');
  await insert('00000000-0000-4000-8000-000000000003');
  const folder = createMigrationFolder([realMigrations, laterMigrations]);
  await expect(migrateDatabase(url, folder)).rejects.toThrow(/webhooks_url/);
  expect(await listInvalidIndexes(knex)).toEqual(['webhooks_url']);

  await knex('webhooks').delete();
  expect(await migrateDatabase(url, folder)).toEqual(['9999-later-index']);
  expect(await listInvalidIndexes(knex)).toEqual([]);
});

test('many processes at once create an index, which waits for none of them', async () => {
  const { url, knex } = await openEmpty();
  const folder = createMigrationFolder([realMigrations, laterMigrations]);
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url, folder)));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  expect(await listInvalidIndexes(knex)).toEqual([]);
});

test('every migration after the baseline is additive or says that it is not, and its indexes block no writer', async () => {
  const { knex } = await openEmpty();
  const migrations = await readMigrations(createMigrationFolder([realMigrations, laterMigrations]));
  const broken: string[] = [];
  let sql: string[] = [];
  knex.on('query', (query: { sql: string }) => sql.push(query.sql));
  for (const name of migrations.names) {
    const checks = await readChecks(knex);
    sql = [];
    await knex.migrate.up({ migrationSource: migrations.source });
    expect(sql.some((text) => /CREATE|ALTER TABLE/i.test(text))).toBe(true);
    const isCompatible = migrations.isCompatible(name);
    if (released.test(name)) continue;
    broken.push(
      ...findBrokenRules({ sql, isCompatible }),
      ...findNarrowedChecks(checks, await readChecks(knex)),
    );
  }
  expect(broken).toEqual([]);
});
