import type { Knex } from 'knex';

export interface Table {
  name: string;
  /** The columns that the database does not generate. */
  columns: string[];
  referencedTables: string[];
}

const tablesQuery = `
SELECT c.relname AS name,
  (SELECT array_agg(quote_ident(attname)::text ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
  array(SELECT confrelid::regclass::text FROM pg_constraint
    WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS "referencedTables"
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  AND c.relname NOT IN ('knex_migrations', 'knex_migrations_lock', 'applied_migrations', 'installation')
ORDER BY c.relname`;

/** Lists the tables that hold what programs store, each after those that it refers to. */
export async function listTables(owner: Knex): Promise<Table[]> {
  const { rows } = await owner.raw<{ rows: Table[] }>(tablesQuery);
  const sorted: Table[] = [];
  const add = (table: Table) => {
    if (sorted.includes(table)) return;
    for (const name of table.referencedTables) add(rows.find((other) => other.name === name) ?? table);
    sorted.push(table);
  };
  rows.forEach(add);
  return sorted;
}

/** Reads all rows of a table as JSON, with these columns only, in some order that depends on the rows alone. */
export async function readRows(owner: Knex, { name, columns }: Table): Promise<unknown[]> {
  return asOwner(owner, name, async (trx) => {
    const { rows } = await trx.raw<{ rows: { row: unknown }[] }>(
      `SELECT to_jsonb(t) AS row FROM (SELECT ${columns.join(', ')} FROM ${name}) AS t ORDER BY to_jsonb(t)::text`,
    );
    return rows.map(({ row }) => row);
  });
}

/** Adds rows to a table as the owner, and runs no trigger. */
export async function addRows(owner: Knex, { name, columns }: Table, rows: unknown[]): Promise<void> {
  const list = columns.join(', ');
  await asOwner(owner, name, (trx) =>
    trx.raw(
      `INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE
       SELECT ${list} FROM jsonb_populate_recordset(NULL::${name}, ?::jsonb)`,
      [JSON.stringify(rows)],
    ),
  );
}

/** Forced policies show no rows to the owner of a table. */
function asOwner<Result>(
  owner: Knex,
  table: string,
  run: (trx: Knex) => PromiseLike<Result>,
): Promise<Result> {
  return owner.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      'SELECT FROM pg_class WHERE oid = ?::regclass AND relforcerowsecurity',
      [table],
    );
    await trx.raw(
      `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY; ALTER TABLE ${table} DISABLE TRIGGER USER`,
    );
    const result = await run(trx);
    await trx.raw(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    if (rows.length > 0) await trx.raw(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    return result;
  });
}
