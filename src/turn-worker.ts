import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ToolRoom } from '../activities/dependencies.ts';
import { createActivities } from '../activities/index.ts';
import type { Config } from './config.ts';
import { createActivityDependencies } from './create-activity-dependencies.ts';
import { connectDatabase } from './db/connect.ts';
import { createNotifier, listenForWakeups } from './db/wakeups.ts';
import type { CallLanguageModel } from './domain/model.ts';
import { createGuardedFetch } from './egress/guarded-fetch.ts';
import { type McpCatalogue, loadMcpCatalogue } from './mcp/catalogue.ts';
import { createMcpClientManager } from './mcp/mcp-client-manager.ts';
import { createLanguageModelCaller } from './models/create-language-model-caller.ts';
import { connectTemporalWorker } from './temporal/connect.ts';
import { registerSearchAttributes } from './temporal/register-search-attributes.ts';
import { ensureSweeperSchedule } from './temporal/sweeper-schedule.ts';
import { createTurnEngine } from './temporal/turn-engine.ts';
import { bundleWorkflows, turnWorkerOptions } from './temporal/worker-options.ts';
import { createToolExecutors } from './tools/create-tool-executors.ts';
import { checkToolArguments } from './tools/tool-arguments.ts';
import { effectOf } from './tools/tool-effect.ts';
import { summarizeToolCall } from './tools/tool-summary.ts';

/** How often a worker looks whether the sweeper's schedule is there, in milliseconds. */
const ensureSweeperEveryMs = 5 * 60_000;

interface TurnWorkerOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** @default the models of the configuration */
  callLanguageModel?: CallLanguageModel;
  /** @default the tools of this program and the operator's catalogue */
  tools?: ToolRoom;
}

/** A worker that runs turns until it is told to stop. */
export interface TurnWorker {
  /** Runs until `shutdown`, then lets go of everything; fails when the worker cannot go on. */
  run: () => Promise<void>;
  shutdown: () => void;
}

/** Builds a worker from its configuration: database, models, tools and the connection to Temporal. */
export async function createTurnWorker({
  config,
  databaseUrl,
  logger,
  ...parts
}: TurnWorkerOptions): Promise<TurnWorker> {
  const database = connectDatabase({ url: databaseUrl, poolSize: config.database.poolSize });
  const wakeups = await listenForWakeups(databaseUrl);
  const onError = (error: unknown) =>
    logger.warn({ err: error }, 'readers were not woken up; they look again by themselves');
  const notifier = createNotifier({ database, onError });
  const { client, connection, namespace } = await connectTemporalWorker(config.environment);
  const toolRoom = createToolRoom(await readCatalogue(config), config);
  await registerSearchAttributes(connection, namespace).catch((error: unknown) =>
    logger.warn(
      { err: error },
      'the search attributes of turns could not be registered; without them none starts',
    ),
  );
  const engine = createTurnEngine({ client, taskQueue: config.taskQueue });
  const activities = createActivities(
    createActivityDependencies({
      database,
      callLanguageModel: parts.callLanguageModel ?? createLanguageModelCaller(config.models),
      tools: parts.tools ?? toolRoom,
      engine,
      notifier,
      wakeups,
      logger,
    }),
  );
  const worker = await Worker.create({
    ...turnWorkerOptions,
    connection,
    namespace,
    taskQueue: config.taskQueue,
    workflowBundle: await bundleWorkflows(),
    activities,
  });
  const stopSweeper = await keepSweeper({ client, config, logger });

  return {
    run: async () => {
      try {
        await worker.run();
      } finally {
        stopSweeper();
        await notifier.flush();
        await Promise.all([wakeups.close(), toolRoom.close(), connection.close()]);
        await database.close();
      }
    },
    shutdown: () => worker.shutdown(),
  };
}

/** A Temporal that loses its database under a worker loses the schedule of the sweeper too, so it is made again. */
async function keepSweeper({
  client,
  config,
  logger,
}: Pick<TurnWorkerOptions, 'config' | 'logger'> & { client: Client }) {
  const { taskQueue, sweepIntervalMs: intervalMs } = config;
  await ensureSweeperSchedule({ client, taskQueue, intervalMs });
  const timer = setInterval(() => {
    ensureSweeperSchedule({ client, taskQueue, intervalMs }).catch((error: unknown) =>
      logger.warn({ err: error }, 'the schedule of the sweeper could not be looked after'),
    );
  }, ensureSweeperEveryMs);
  return () => clearInterval(timer);
}

async function readCatalogue({ mcpConfigPath, environment }: Config): Promise<McpCatalogue> {
  if (mcpConfigPath === undefined) return new Map();
  return loadMcpCatalogue({ path: mcpConfigPath, env: environment });
}

function createToolRoom(catalogue: McpCatalogue, { allowLoopback }: Config) {
  const mcp = createMcpClientManager({ catalogue });
  const fetch = createGuardedFetch({ allowLoopback });
  return {
    executors: createToolExecutors({ fetch, mcp }),
    effectOf,
    checkArguments: checkToolArguments,
    summarize: summarizeToolCall,
    close: async () => {
      await mcp.close();
      await fetch.close();
    },
  };
}
