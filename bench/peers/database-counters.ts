import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The counters of a Postgres server since it was started. */
export interface DatabaseCounters {
  commits: number;
  /** Flushes of the write-ahead log. */
  flushes: number;
  walBytes: number;
}

/** The time after which a session reports its counters with its next commit, in milliseconds. */
const reportAfterMs = 1_100;

const statement = `
  SELECT (SELECT sum(xact_commit) FROM pg_stat_database) AS commits,
    (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS flushes,
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS "walBytes"`;

/** Reads the counters after one more turn, with which the sessions of the program report what they had kept back. */
export async function readCounters(
  databaseUrl: string,
  runTurn: () => Promise<unknown>,
): Promise<DatabaseCounters> {
  await sleep(reportAfterMs);
  await runTurn();
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<Record<keyof DatabaseCounters, string>>(statement);
    const [row] = rows;
    return { commits: Number(row?.commits), flushes: Number(row?.flushes), walBytes: Number(row?.walBytes) };
  } finally {
    await client.end();
  }
}

/** Returns the growth of counters for each of some turns. */
export function toCountersPerTurn(
  before: DatabaseCounters,
  after: DatabaseCounters,
  turns: number,
): DatabaseCounters {
  return {
    commits: (after.commits - before.commits) / turns,
    flushes: (after.flushes - before.flushes) / turns,
    walBytes: (after.walBytes - before.walBytes) / turns,
  };
}
