import { loadConfig, requireDatabaseUrl } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { installTemporalLogger } from '../../src/temporal/temporal-logger.ts';
import { createTurnWorker } from '../../src/turn-worker.ts';
import { createNoOpModel } from '../holdfast/no-op-model.ts';
import { createNoOpToolRoom } from '../holdfast/no-op-tool.ts';
import { createWorkerRequests } from './first-steps.ts';
import { serve } from './serve.ts';

const config = loadConfig();
const logger = createLogger(config, 'worker');
installTemporalLogger(logger);
const { requests, note } = createWorkerRequests();
const worker = await createTurnWorker({
  config,
  databaseUrl: requireDatabaseUrl(config),
  logger,
  callLanguageModel: createNoOpModel(note),
  tools: createNoOpToolRoom(),
});
process.once('SIGTERM', worker.shutdown);
const running = worker.run();
serve(requests);
await running;
process.exit();
