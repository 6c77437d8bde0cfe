import type { Logger } from 'pino';
import { migrateDatabase } from '../platform/database/migrate.ts';
import { isDatabaseOutage } from '../platform/lib/database-outage.ts';
import { createDependencyState } from '../platform/lib/dependency-state.ts';
import { retryWhileUnavailable } from '../platform/lib/retry-while-unavailable.ts';

/** Brings the database to the schema of this version, and waits for a database that cannot be reached. */
export async function migrateWhenReachable(databaseUrl: string, logger: Logger): Promise<void> {
  const state = createDependencyState({ name: 'Postgres', logger });
  const migrations = await retryWhileUnavailable(() => migrateDatabase(databaseUrl), {
    state,
    isOutage: isDatabaseOutage,
  });
  if (migrations.length > 0) logger.info({ migrations }, 'the database was migrated');
}
