import path from 'node:path';
import { onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../../src/main/dev/embedded-postgres.ts';
import { migrateDatabase } from '../../src/platform/database/migrate.ts';
import type { TestDatabase } from './postgres.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

/** A migrated database of a server that can crash. */
export interface CrashingDatabase {
  /** The database of the server that runs; after a crash its address may be another one. */
  open: () => TestDatabase;
  /** Lets the server crash, and starts it again. Commits that were not on disk are lost. */
  crash: () => Promise<void>;
}

/** A commit that does not wait for the disk stays in memory for as long as nothing else is written to the disk. */
const settings = { wal_writer_delay: '10s', checkpoint_timeout: '1d', autovacuum: 'off' };

/** Starts a Postgres of the test's own, which waits for the disk as in production. It ends with the test. */
export async function startCrashingDatabase(): Promise<CrashingDatabase> {
  const dataDir = path.join(createTemporaryFolder(), 'data');
  const options = { dataDir, environment: process.env, say: () => undefined, preferredPort: 0, settings };
  let server = await startEmbeddedPostgres(options);
  onTestFinished(() => server.stop());
  await migrateDatabase(server.url);
  return {
    open: () => ({ url: server.url, drop: () => Promise.resolve() }),
    crash: async () => {
      process.kill(server.process.pid, 'SIGQUIT');
      await server.process.exited;
      server = await startEmbeddedPostgres(options);
    },
  };
}
