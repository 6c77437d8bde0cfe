import { loadConfig, requireDatabaseUrl } from '../../src/main/config.ts';
import { createWorker } from '../../src/main/create-worker.ts';
import { createLogger } from '../../src/main/logger.ts';
import { installTemporalLogger } from '../../src/platform/temporal/temporal-logger.ts';
import type { MeasuredRequests } from './contract.ts';
import { createWorkerRequests } from './first-steps.ts';
import { serve } from './serve.ts';

const config = loadConfig();
const logger = createLogger(config, 'worker');
installTemporalLogger(logger);
const worker = await createWorker({ config, databaseUrl: requireDatabaseUrl(config), logger });
process.once('SIGTERM', worker.shutdown);
const running = worker.run();
const { measureMemory } = createWorkerRequests().requests;
serve({ measureMemory } satisfies MeasuredRequests);
await running;
process.exit();
