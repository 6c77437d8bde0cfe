import type { Knex } from 'knex';

/** The number of the advisory lock of workers; no other program on the same database uses it. */
const workerLock = 4_711_034;

/**
 * Takes the lock that every worker holds in one session for as long as it runs. Postgres releases it within
 * milliseconds when the process is killed, so that no reader has to wait for a time limit.
 */
export const holdWorkerLock = `SELECT pg_advisory_lock_shared(${workerLock})`;

/** Returns true while a worker of this database runs. */
export async function hasWorker(system: Knex): Promise<boolean> {
  // `objsubid` 1 marks a lock with one number, whose lower half is `objid`.
  const { rows } = await system.raw<{ rows: { found: boolean }[] }>(
    `SELECT EXISTS (
       SELECT FROM pg_locks
       WHERE locktype = 'advisory' AND classid = 0 AND objid = ? AND objsubid = 1 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ) AS found`,
    [workerLock],
  );
  return rows[0]?.found === true;
}
