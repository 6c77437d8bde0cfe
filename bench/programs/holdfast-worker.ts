import os from 'node:os';
import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { installTemporalLogger } from '../../src/platform/temporal/temporal-logger.ts';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { listenForWakeups } from '../../src/platform/database/wakeups.ts';
import { createWorker } from '../../src/main/create-worker.ts';
import { createNoOpModel } from '../holdfast/no-op-model.ts';
import { createNoOpToolRunner } from '../holdfast/no-op-tool.ts';
import { createWorkerRequests } from './first-steps.ts';
import type { WorkerRequests } from './contract.ts';
import { serve } from './serve.ts';
import { createSubmitRequests } from './submit-requests.ts';

const config = loadConfig();
const databaseUrl = requireDatabaseUrl(config);
const logger = createLogger(config, 'worker');
installTemporalLogger(logger);
if (config.workerRole === 'replays') os.setPriority(os.constants.priority.PRIORITY_LOW);
const { requests, note } = createWorkerRequests();
const noOpModel = createNoOpModel(note);
const worker = await createWorker({
  config,
  databaseUrl,
  logger,
  overrides: { adaptModel: () => noOpModel, tools: createNoOpToolRunner() },
});
process.once('SIGTERM', worker.shutdown);
const running = worker.run();
// Separate pools: the program that submits turns is not a part of the worker, though both share the process.
const database = connectDatabase({ url: databaseUrl, poolSize: config.database.poolSize });
const { client, taskQueue, startTurn } = worker;
const wakeups = await listenForWakeups({ url: databaseUrl, listLastSeqs: () => Promise.resolve([]) });
const direct = { startTurn, onEnd: wakeups.onEvents };
serve({
  ...requests,
  ...createSubmitRequests({ client, database, taskQueue, startsEagerly: true, direct }),
} satisfies WorkerRequests);
await running;
process.exit();
