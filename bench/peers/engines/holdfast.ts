import { randomUUID } from 'node:crypto';
import { connectDatabase } from '../../../src/platform/database/connect-database.ts';
import { loadConfig } from '../../../src/main/config.ts';
import { createWorker, type HoldfastWorker } from '../../../src/main/create-worker.ts';
import { toBareEnvironment } from '../../../src/main/dev/bare-environment.ts';
import { findFreePort } from '../../../src/main/dev/ports.ts';
import { waitForHttp } from '../../../src/main/dev/wait-for-ready.ts';
import { createLogger } from '../../../src/main/logger.ts';
import { installTemporalLogger } from '../../../src/platform/temporal/temporal-logger.ts';
import { startDevServer } from '../../engines/dev-server.ts';
import { createNoOpModel } from '../../holdfast/no-op-model.ts';
import { createNoOpToolRunner } from '../../holdfast/no-op-tool.ts';
import { seedDatabase } from '../../holdfast/seed.ts';
import { createConversationPool } from '../../programs/conversation-pool.ts';
import { startProgram } from '../../programs/program.ts';
import { createTurnDriver } from '../../programs/turn-drivers.ts';
import type { BenchRow } from '../../rows.ts';
import type { PeerOptions, StartPeer } from '../contract.ts';

type RowSettings = Pick<BenchRow, 'execution' | 'through'>;

const taskQueue = 'bench';
const signal = new AbortController().signal;

/** Holdfast on the Temporal server that `npm start` runs. The worker is in this process, and the API in its own. */
export const start: StartPeer = async (options) => {
  await using stack = new AsyncDisposableStack();
  const { folder, databaseUrl } = options;
  const row: BenchRow = { name: '', kind: 'holdfast', ...(options.settings as RowSettings) };
  const server = await startDevServer({
    ...options,
    environment: process.env,
    say: () => undefined,
    signal,
  });
  stack.defer(server.stop);
  const seed = await seedDatabase(databaseUrl);
  const environment = await toEnvironment(options, server.address);
  const worker = await startWorker(environment, databaseUrl);
  stack.defer(worker.stop);
  const processes = [{ name: 'engine', pid: server.process.pid }];
  const origin = `http://127.0.0.1:${environment.PORT}`;
  if (row.through === 'http') {
    const program = { name: 'api', file: 'src/main/api.ts', folder, environment, signal };
    const { process: api } = await startProgram(program);
    stack.defer(async () => {
      await api.stop();
    });
    await waitForHttp(`${origin}/health/ready`, api);
    processes.push({ name: 'api', pid: api.pid });
  }
  const database = connectDatabase({ url: databaseUrl, poolSize: worker.poolSize });
  stack.defer(database.close);
  const { client } = worker;
  const driver = createTurnDriver({ client, database, taskQueue, seed, origin, startsEagerly: true });
  const pool = createConversationPool(database, seed);
  const opened = stack.move();
  return {
    processes,
    createConversation: () => Promise.resolve(pool.take(row.execution) ?? pool.make(row.execution)),
    runTurn: (conversationId) => driver({ tag: randomUUID(), row, conversationId }),
    close: () => opened.disposeAsync(),
  };
};

async function toEnvironment({ databaseUrl }: PeerOptions, address: string) {
  return {
    ...toBareEnvironment(process.env),
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS: 'false',
    HOLDFAST_TASK_QUEUE: taskQueue,
    // The other engines write no log lines for a step either.
    HOLDFAST_LOG_LEVEL: 'error',
    PORT: String(await findFreePort()),
  };
}

async function startWorker(environment: NodeJS.ProcessEnv, databaseUrl: string) {
  const config = loadConfig(environment);
  const logger = createLogger(config, 'worker');
  installTemporalLogger(logger);
  const worker: HoldfastWorker = await createWorker({
    config,
    databaseUrl,
    logger,
    overrides: { adaptModel: () => createNoOpModel(() => undefined), tools: createNoOpToolRunner() },
  });
  const running = worker.run();
  const stop = async () => {
    worker.shutdown();
    await running;
  };
  return { client: worker.client, poolSize: config.database.poolSize, stop };
}
