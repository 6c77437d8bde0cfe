import type { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { ToolServices } from '../../activities/activity-dependencies.ts';
import type { Config } from './config.ts';
import { createWorkerActivities } from './create-worker-activities.ts';
import { toDocumentTaskQueue } from '../../workflows/contract/document-steps.ts';
import type { CallLanguageModel } from '../domain/model.ts';
import { connectTemporalWorker } from '../temporal/connect-temporal.ts';
import { createDataConverter } from '../temporal/data-converter.ts';
import { registerSearchAttributes } from '../temporal/register-search-attributes.ts';
import { ensureSweeperSchedule } from '../temporal/sweeper-schedule.ts';
import { bundleWorkflows, documentWorkerOptions, turnWorkerOptions } from '../temporal/worker-options.ts';

/** How often a worker looks whether the sweeper's schedule is there, in milliseconds. */
const ensureSweeperEveryMs = 5 * 60_000;

interface TurnWorkerOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** @default the models of the configuration */
  callLanguageModel?: CallLanguageModel;
  /** @default the tools of this program and the operator's catalogue */
  tools?: ToolServices;
}

/** A worker that runs turns until it is told to stop. */
export interface TurnWorker {
  /** Runs until `shutdown`, then lets go of everything; fails when the worker cannot go on. */
  run: () => Promise<void>;
  shutdown: () => void;
}

/** Builds a worker from its configuration: database, models, tools and the connection to Temporal. */
export async function createTurnWorker(options: TurnWorkerOptions): Promise<TurnWorker> {
  await using stack = new AsyncDisposableStack();
  const { config, logger } = options;
  const dataConverter = createDataConverter(config);
  const { client, connection, namespace } = await connectTemporalWorker(config.environment, dataConverter);
  stack.defer(() => connection.close());
  const activities = await createWorkerActivities({ ...options, client, stack });
  await registerSearchAttributes(connection, namespace).catch((error: unknown) =>
    logger.warn(
      { err: error },
      'the search attributes of turns could not be registered; without them none starts',
    ),
  );
  const worker = await Worker.create({
    ...turnWorkerOptions,
    connection,
    namespace,
    taskQueue: config.taskQueue,
    dataConverter,
    workflowBundle: await bundleWorkflows(dataConverter),
    activities,
  });
  const documentWorker = await Worker.create({
    ...documentWorkerOptions,
    connection,
    namespace,
    taskQueue: toDocumentTaskQueue(config.taskQueue),
    dataConverter,
    activities,
  });
  stack.defer(await keepSweeper({ client, config, logger }));
  const parts = stack.move();
  const { run, shutdown } = joinWorkers([worker, documentWorker]);
  return {
    run: async () => {
      try {
        await run();
      } finally {
        await parts.disposeAsync();
      }
    },
    shutdown,
  };
}

/** Workers that run and end together. */
function joinWorkers(workers: Worker[]): Pick<TurnWorker, 'run' | 'shutdown'> {
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const run = async () => {
    const ends = await Promise.allSettled(workers.map((worker) => worker.run().finally(shutdown)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  return { run, shutdown };
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
  return (): void => clearInterval(timer);
}
