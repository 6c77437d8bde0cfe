import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { startEmbeddedPostgres } from '../../../src/main/dev/embedded-postgres.ts';
import { seedDatabase } from '../../holdfast/seed.ts';
import type { Place } from '../../place.ts';
import { postgresSettings } from '../scale-stage.ts';
import { measureAuditChain, measureAuditPrograms } from './audit-chain.ts';
import { measureConversationLock } from './conversation-lock.ts';
import type { LimitLab, LimitTable } from './experiment.ts';
import { measureLiveTexts } from './live-texts.ts';
import { measureNotifications } from './notifications.ts';
import { measureIdleSessions, measurePools } from './pools.ts';

const experiments: Record<string, (lab: LimitLab) => Promise<LimitTable>> = {
  'the lock of the conversation': measureConversationLock,
  'the audit log': measureAuditChain,
  'the audit log of many programs': measureAuditPrograms,
  'LISTEN and NOTIFY': measureNotifications,
  'live texts': measureLiveTexts,
  pools: measurePools,
  'idle sessions': measureIdleSessions,
};

/** Measures, one by one, the resources of Postgres that many workers share, on a Postgres without other load. */
export async function measureLimits(place: Place, durationMs: number): Promise<LimitTable[]> {
  const { folder, environment, say, signal, stack } = place;
  const starting = { dataDir: folder, environment, say, preferredPort: 0, settings: postgresSettings };
  const { url: databaseUrl, process, stop } = await startEmbeddedPostgres(starting);
  stack.defer(stop);
  const seed = await seedDatabase(databaseUrl);
  const database = connectDatabase({ url: databaseUrl });
  stack.defer(database.close);
  const postgres = { name: 'postgres', pid: process.pid, withChildren: true };
  const tables: LimitTable[] = [];
  for (const [name, measure] of Object.entries(experiments)) {
    signal.throwIfAborted();
    say(`  ${name}`);
    tables.push(await measure({ databaseUrl, seed, database, postgres, durationMs }));
  }
  return tables;
}
