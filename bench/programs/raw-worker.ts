import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { loadConfig } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { connectTemporalWorker } from '../../src/temporal/connect-temporal-worker.ts';
import { installTemporalLogger } from '../../src/temporal/temporal-logger.ts';
import { turnWorkerOptions } from '../../src/temporal/worker-options.ts';
import { createRawActivities } from '../raw/activities.ts';
import { rawTaskQueue } from './contract.ts';
import { createWorkerRequests } from './first-steps.ts';
import { serve } from './serve.ts';

const config = loadConfig();
installTemporalLogger(createLogger(config, 'raw-worker'));
const { requests, note } = createWorkerRequests();
const { connection, namespace } = await connectTemporalWorker(config.environment, {});
const worker = await Worker.create({
  ...turnWorkerOptions,
  connection,
  namespace,
  taskQueue: rawTaskQueue,
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../raw/workflows.ts', import.meta.url)),
    preloadModules: ['@temporalio/workflow'],
  }),
  activities: createRawActivities(note),
});
process.once('SIGTERM', () => worker.shutdown());
const running = worker.run();
serve(requests);
await running;
await connection.close();
process.exit();
