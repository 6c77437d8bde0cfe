import pg from 'pg';
import type { AddedRows } from './large-recorded.ts';
import { addedRows, largeColumns, largeTables, largeWorkspace, rowCount } from './large-tables.ts';

/** Tables whose rows belong to no workspace. */
const sharedTables = new Set(['removed_objects']);

/**
 * Fills a test database with `rowCount` rows or a few more in each table, all in one workspace. Foreign keys are dropped
 * during that and added again unchecked, since checking each row would take longer than all the rest.
 */
export async function fillLargeTables(url: string): Promise<void> {
  await fillTables(url, rowCount, addedRows);
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`ANALYZE ${largeTables.join(', ')}`);
  } finally {
    await client.end();
  }
}

/** Fills a test database as {@link fillLargeTables} with so many rows in each table, and collects no statistics. */
export async function fillTables(
  url: string,
  count: number,
  added: readonly AddedRows[] = [],
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const references = await dropReferences(client);
    // Postgres logs no rows of tables that the same transaction has emptied, as the tests let it log as little as it can.
    await client.query(`BEGIN; TRUNCATE ${largeTables.join(', ')}`);
    const noting = await listNotingTables(client);
    for (const table of noting) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER note_insert`);
    await client.query('SET ROLE holdfast_system');
    await client.query(`INSERT INTO workspaces (id, name) VALUES ('${largeWorkspace}', 'Large')`);
    for (const [table, columns] of Object.entries(largeColumns))
      await client.query(toInsert({ table, columns, count }));
    for (const rows of added) await client.query(toInsert(rows));
    await client.query('RESET ROLE');
    for (const table of noting) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER note_insert`);
    await client.query('COMMIT');
    for (const { table, definition } of references)
      await client.query(`ALTER TABLE ${table} ADD ${definition} NOT VALID`);
  } finally {
    await client.end();
  }
}

async function dropReferences(client: pg.Client) {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f'`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows;
}

/** Lists the tables whose rows leave notes, which would take as long as the rows themselves. */
async function listNotingTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT tgrelid::regclass::text AS table FROM pg_trigger WHERE tgname = 'note_insert'`,
  );
  return rows.map(({ table }) => table);
}

function toInsert({ table, columns, count }: AddedRows): string {
  const ofWorkspace = sharedTables.has(table) ? {} : { workspace_id: `'${largeWorkspace}'::uuid` };
  const values = { ...ofWorkspace, ...columns };
  return `INSERT INTO ${table} (${Object.keys(values).join(', ')})
    SELECT ${Object.values(values).join(', ')} FROM generate_series(1, ${count}) AS n`;
}
