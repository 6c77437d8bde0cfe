import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { connectDatabase } from '../../src/platform/database/connect-database.ts';
import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { connectTemporalWorker } from '../../src/platform/temporal/connect-temporal-worker.ts';
import { installTemporalLogger } from '../../src/platform/temporal/temporal-logger.ts';
import { toSlotOptions, turnWorkerOptions } from '../../src/platform/temporal/worker-options.ts';
import { createRawActivities } from '../raw/activities.ts';
import { openJournal } from '../raw/journal.ts';
import { rawTaskQueue, type WorkerRequests } from './contract.ts';
import { createWorkerRequests } from './first-steps.ts';
import { serve } from './serve.ts';
import { createSubmitRequests } from './submit-requests.ts';

const config = loadConfig();
installTemporalLogger(createLogger(config, 'raw-worker'));
const { requests, note } = createWorkerRequests();
const { poolSize } = config.database;
const url = requireDatabaseUrl(config);
const database = connectDatabase({ url, poolSize });
const journal = openJournal(url, poolSize);
const { client, connection, namespace } = await connectTemporalWorker(config.environment, {});
const worker = await Worker.create({
  ...turnWorkerOptions,
  ...toSlotOptions(config.workerSlots),
  connection,
  namespace,
  taskQueue: rawTaskQueue,
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../raw/workflows.ts', import.meta.url)),
    preloadModules: ['@temporalio/workflow'],
  }),
  activities: createRawActivities({ journal, onFirstStep: note }),
});
process.once('SIGTERM', () => worker.shutdown());
const running = worker.run();
serve({
  ...requests,
  ...createSubmitRequests({ client, database, taskQueue: rawTaskQueue, startsEagerly: true }),
} satisfies WorkerRequests);
await running;
await journal.close();
await connection.close();
process.exit();
