import '../platform/lib/async-disposable-stack.ts';
import os from 'node:os';
import type { Logger } from 'pino';
import { createDependencyState } from '../platform/lib/dependency-state.ts';
import { installTemporalLogger } from '../platform/temporal/temporal-logger.ts';
import { loadConfig, requireDatabaseUrl } from './config.ts';
import { createWorker } from './create-worker.ts';
import { loadOperatorFiles } from './load-operator-files.ts';
import { createLogger } from './logger.ts';
import { migrateWhenReachable } from './migrate-when-reachable.ts';
import { reloadOnMessage } from './reload-functions.ts';
import { reportFatal } from './report-fatal.ts';
import { joinRunning } from './running.ts';
import { serveHealth } from './serve-health.ts';
import { onStop } from './stop-signals.ts';

let logger: Logger | undefined;

try {
  const config = joinRunning(loadConfig(), 'worker');
  logger = createLogger(config, 'worker');
  // Replays get the processor time that live turns leave.
  if (config.workerRole === 'replays') os.setPriority(os.constants.priority.PRIORITY_LOW);
  const temporalState = createDependencyState({ name: 'Temporal', logger });
  installTemporalLogger(logger, temporalState);
  const databaseUrl = requireDatabaseUrl(config);
  // Before the migration: a program that cannot run leaves the database as it is.
  const operatorFiles = await loadOperatorFiles(config, logger);
  await migrateWhenReachable(databaseUrl, logger);
  const worker = await createWorker({ config, databaseUrl, logger, operatorFiles, temporalState });
  onStop(worker.shutdown);
  reloadOnMessage({ config, functions: worker.functions, logger });
  const running = worker.run();
  const { healthPort: port, http } = config;
  const { isRunning: isAlive, listFailingSweeps } = worker;
  if (port !== undefined) await serveHealth({ host: http.host, port, isAlive, listFailingSweeps });
  logger.info({ taskQueue: worker.taskQueue }, 'the worker is ready');
  process.send?.({ type: 'ready' });
  await running;
  if (process.connected) process.disconnect();
} catch (error) {
  reportFatal(error, { name: 'worker', logger });
  // Open sockets would keep the process alive, so that no supervisor would restart it.
  process.exit(1);
}
