import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { installTemporalLogger } from '../../src/temporal/temporal-logger.ts';
import { createWorker } from '../../src/main/create-worker.ts';
import { createNoOpModel } from '../holdfast/no-op-model.ts';
import { createNoOpToolServices } from '../holdfast/no-op-tool.ts';
import { createWorkerRequests } from './first-steps.ts';
import { serve } from './serve.ts';

const config = loadConfig();
const logger = createLogger(config, 'worker');
installTemporalLogger(logger);
const { requests, note } = createWorkerRequests();
const worker = await createWorker({
  config,
  databaseUrl: requireDatabaseUrl(config),
  logger,
  overrides: { callLanguageModel: createNoOpModel(note), tools: createNoOpToolServices() },
});
process.once('SIGTERM', worker.shutdown);
const running = worker.run();
serve(requests);
await running;
process.exit();
