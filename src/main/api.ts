import '../platform/lib/async-disposable-stack.ts';
import type { Logger } from 'pino';
import { loadConfig, requireDatabaseUrl } from './config.ts';
import { createApi } from './create-api.ts';
import { loadOperatorFiles } from './load-operator-files.ts';
import { createLogger } from './logger.ts';
import { migrateWhenReachable } from './migrate-when-reachable.ts';
import { reloadOnMessage } from './reload-functions.ts';
import { reportFatal } from './report-fatal.ts';
import { joinRunning } from './running.ts';
import { onStop } from './stop-signals.ts';

let logger: Logger | undefined;

try {
  const config = joinRunning(loadConfig(), 'api');
  logger = createLogger(config, 'api');
  const databaseUrl = requireDatabaseUrl(config);
  // Before the migration: a program that cannot run leaves the database as it is.
  const operatorFiles = await loadOperatorFiles(config, logger);
  await migrateWhenReachable(databaseUrl, logger);
  const api = await createApi({ config, databaseUrl, logger, operatorFiles });
  reloadOnMessage({ config, functions: api.services.functions, logger });
  const { port } = await api.listen();
  onStop(() => void api.close().finally(() => process.connected && process.disconnect()));
  logger.info({ host: config.http.host, port }, 'the API is ready');
  process.send?.({ type: 'ready', port });
} catch (error) {
  reportFatal(error, { name: 'api', logger });
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
