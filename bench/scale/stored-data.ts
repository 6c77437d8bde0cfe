import pg from 'pg';

/** Commits and bytes of one Postgres server, of both kinds of databases in it. */
export interface StoredData {
  holdfastCommits: number;
  temporalCommits: number;
  walBytes: number;
  holdfastBytes: number;
  temporalBytes: number;
}

const read = `
SELECT sum(xact_commit) FILTER (WHERE datname = current_database()) AS "holdfastCommits",
  sum(xact_commit) FILTER (WHERE datname LIKE 'temporal%') AS "temporalCommits",
  sum(pg_database_size(datname)) FILTER (WHERE datname = current_database()) AS "holdfastBytes",
  sum(pg_database_size(datname)) FILTER (WHERE datname LIKE 'temporal%') AS "temporalBytes",
  pg_current_wal_lsn() - '0/0' AS "walBytes"
FROM pg_stat_database WHERE datname = current_database() OR datname LIKE 'temporal%'`;

/** Reads how much has been stored so far. Postgres counts commits with a delay of about a second. */
export async function readStoredData(databaseUrl: string): Promise<StoredData> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<Record<keyof StoredData, string>>(read);
    return toEach(rows[0], Number);
  } finally {
    await client.end();
  }
}

/** Returns what was stored between two readings, for each of a number of turns. */
export function toStoredEach(before: StoredData, after: StoredData, turns: number): StoredData {
  return toEach(after, (value, name) => (value - before[name]) / turns);
}

function toEach<Value>(
  all: Record<keyof StoredData, Value> | undefined,
  convert: (value: Value, name: keyof StoredData) => number,
): StoredData {
  if (all === undefined) throw new Error('Postgres answered without a row');
  const names = Object.keys(all) as (keyof StoredData)[];
  return Object.fromEntries(names.map((name) => [name, convert(all[name], name)])) as unknown as StoredData;
}
