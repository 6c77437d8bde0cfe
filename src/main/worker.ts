import { loadConfig, requireDatabaseUrl } from './config.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { joinRunning } from './running.ts';
import { createLogger } from './logger.ts';
import { onStop } from './stop-signals.ts';
import { installTemporalLogger } from '../temporal/temporal-logger.ts';
import { createTurnWorker } from './create-worker.ts';

const config = joinRunning(loadConfig());
const logger = createLogger(config, 'worker');

try {
  installTemporalLogger(logger);
  const databaseUrl = requireDatabaseUrl(config);
  await migrateDatabase(databaseUrl);
  const worker = await createTurnWorker({ config, databaseUrl, logger });
  onStop(worker.shutdown);
  const running = worker.run();
  logger.info({ taskQueue: config.taskQueue }, 'the worker is ready');
  process.send?.({ type: 'ready' });
  await running;
  if (process.connected) process.disconnect();
} catch (error) {
  logger.fatal({ err: error }, 'the worker cannot run');
  // Connections that were opened on the way would keep the process, and nobody would start another.
  process.exit(1);
}
