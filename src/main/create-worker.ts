import type { Client } from '@temporalio/client';
import { Worker, type WorkerOptions as TemporalWorkerOptions } from '@temporalio/worker';
import type { FailingSweep, SweepFailures } from '../platform/work/sweep-failures.ts';
import { logAuditHeads } from '../modules/audit/log-audit-heads.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Stuck } from '../domain/stuck-workflow.ts';
import type { DependencyState } from '../platform/lib/dependency-state.ts';
import { retryWhileUnavailable } from '../platform/lib/retry-while-unavailable.ts';
import { isTemporalOutage } from '../platform/lib/temporal-outage.ts';
import { connectTemporalWorker } from '../platform/temporal/connect-temporal-worker.ts';
import { createDataConverter, type HoldfastDataConverter } from '../platform/temporal/data-converter.ts';
import { registerSearchAttributes } from '../platform/temporal/register-search-attributes.ts';
import {
  ensureSweeperSchedule,
  reviveSweeper,
  type SweeperScheduleOptions,
} from '../platform/work/sweeper-schedule.ts';
import { newId } from '../platform/lib/ids.ts';
import { createRunDirectTurn } from '../../activities/turn/direct/run-direct-turn.ts';
import { startDirectTurns } from '../../activities/turn/direct/direct-turns.ts';
import type { TurnStarter } from '../modules/turns/direct/create-turn-starter.ts';
import { createDirectTurnRepository } from '../modules/turns/direct/direct-turn-repository.ts';
import {
  shutdownGraceMs,
  toQueueOptions,
  toSlotOptions,
  toVersionOptions,
  turnWorkerOptions,
} from '../platform/temporal/worker-options.ts';
import { loadWorkflowBundle } from '../platform/temporal/workflow-bundle.ts';
import type { FunctionRegistry } from '../engines/tools/functions/function-registry.ts';
import type { Module } from '../platform/module/define-module.ts';
import { modules } from './modules.ts';
import {
  createWorkerActivities,
  type StepOverrides,
  type WorkerActivities,
} from './create-worker-activities.ts';
import type { Config } from './config.ts';
import { createServices, type ServiceOptions, type Services } from './create-services.ts';
import { watchTemporal } from '../platform/temporal/watch-temporal.ts';

interface WorkerOptions extends ServiceOptions {
  /** Changes models or tools, for benchmarks and tests. */
  overrides?: StepOverrides;
  /** How many workflows stay in memory between their tasks. @default by the memory of the process */
  maxCachedWorkflows?: number;
  /** How often the worker checks that the sweeper's workflow runs, in milliseconds. @default 30 000 */
  reviveSweeperEveryMs?: number;
}

/** A worker that runs turns and processes documents until `shutdown` is called. */
export interface HoldfastWorker {
  taskQueue: string;
  /** Shares the worker's connection, so that the worker may get the first task of what it starts at once. */
  client: Client;
  /** The functions that its tools run. */
  functions: FunctionRegistry;
  /** Starts a stored turn. One that needs no workflow runs in this process. */
  startTurn: TurnStarter['startTurn'];
  /** Runs until `shutdown`, then closes everything that was opened. Rejects when the worker cannot continue. */
  run: () => Promise<void>;
  shutdown: () => void;
  /** Returns true while all queues are polled for tasks. */
  isRunning: () => boolean;
  /** Lists the sweeps that have failed several times in a row in this process. */
  listFailingSweeps: () => FailingSweep[];
}

/**
 * Builds a worker: its services, its activities and its queues at Temporal.
 * @throws HoldfastError `INVALID_INPUT` or `SECRETS_UNAVAILABLE` when the configuration cannot be used
 */
export async function createWorker(options: WorkerOptions): Promise<HoldfastWorker> {
  await using stack = new AsyncDisposableStack();
  const { config, logger, overrides, maxCachedWorkflows } = options;
  const services = await createServices(options);
  stack.defer(services.close);
  const { installationId, taskQueue, temporalState } = services;
  const dataConverter = createDataConverter({ ...config, installationId });
  const { client, connection, namespace } = await retryWhileUnavailable(
    () => connectTemporalWorker(config.environment, dataConverter),
    { state: temporalState, isOutage: isTemporalOutage },
  );
  stack.defer(() => connection.close());
  const stopping = new AbortController();
  const shutdown = stopping.signal;
  const built = createWorkerActivities({ config, services, client, logger, shutdown }, overrides);
  const { activities, sweepFailures, turnStarter } = built;
  const lostQueue = new AbortController();
  const shared = { connection, namespace, dataConverter, activities };
  const cache = maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows };
  const runsTurns = config.workerRole !== 'replays';
  if (runsTurns) {
    await registerSearchAttributes(connection, namespace).catch((error: unknown) =>
      logger.warn(
        { err: error },
        'the search attributes of turns could not be registered; without them none starts',
      ),
    );
    // Before the workers, since it fails when the task queue belongs to another installation.
    const schedule = { client, taskQueue, intervalMs: config.sweepIntervalMs };
    const keeping = { ...options, state: temporalState, lostQueue, failures: sweepFailures };
    stack.defer(await keepSweeper(schedule, keeping));
    stack.defer(await keepSweeper({ ...schedule, workflowType: 'recordRemoval' }, keeping));
    await services.wakeups.announceWorker();
    stack.defer(logAuditHeads({ database: services.database, logger }));
    stack.defer(await runDirectTurns({ config, services, signal: shutdown }, built));
  }
  const workers = await Promise.all([
    ...(runsTurns ? [createTurnWorker({ ...shared, ...cache, taskQueue }, config)] : []),
    ...listActivityQueues(modules, taskQueue, config.workerRole).map((own) =>
      Worker.create({ ...shared, ...own }),
    ),
  ]);
  const { run, ...joined } = joinWorkers(workers, () => stopping.abort());
  lostQueue.signal.addEventListener('abort', joined.shutdown);
  const opened = stack.move();
  const runUntilLost = async () => {
    await run().finally(() => opened.disposeAsync());
    lostQueue.signal.throwIfAborted();
  };
  return {
    ...joined,
    taskQueue,
    client,
    functions: services.functions,
    startTurn: turnStarter.startTurn,
    listFailingSweeps: sweepFailures.list,
    run: runUntilLost,
  };
}

/** Runs turns without a workflow in this process, until the signal or the returned function ends that. */
async function runDirectTurns(
  { config, services, signal }: { config: Config; services: Services; signal: AbortSignal },
  { steps, turnStarter }: Pick<WorkerActivities, 'steps' | 'turnStarter'>,
): Promise<() => Promise<void>> {
  const { logger, pipelined } = steps;
  const owner = newId();
  const { start, close } = await startDirectTurns({
    ...{ logger, wakeups: services.wakeups, places: config.directTurns, graceMs: shutdownGraceMs },
    repository: createDirectTurnRepository(services.database, owner),
    run: createRunDirectTurn(steps, owner),
    startWorkflow: turnStarter.startWorkflow,
    getStart: ({ id, workspaceId }) => pipelined(workspaceId, ({ turns }) => turns.getStart(id)),
  });
  turnStarter.offerTo(start);
  signal.addEventListener('abort', () => void close());
  return close;
}

type SharedOptions = Required<
  Pick<TemporalWorkerOptions, 'connection' | 'namespace' | 'activities' | 'taskQueue'>
> &
  Pick<TemporalWorkerOptions, 'maxCachedWorkflows'> & { dataConverter: HoldfastDataConverter };

/** The worker that runs all workflows, and the steps of turns. */
async function createTurnWorker(
  shared: SharedOptions,
  { buildId, workerSlots }: Pick<Config, 'buildId' | 'workerSlots'>,
): Promise<Worker> {
  return Worker.create({
    ...turnWorkerOptions,
    ...toSlotOptions(workerSlots),
    ...toVersionOptions(buildId, shared.taskQueue),
    ...shared,
    workflowBundle: await loadWorkflowBundle(shared.dataConverter),
  });
}

/** Lists the options of the workers of activities, by the role of the process. */
export function listActivityQueues(
  of: readonly Module[],
  taskQueue: string,
  role: Config['workerRole'],
): TemporalWorkerOptions[] {
  return of
    .flatMap(({ queues = [] }) => queues)
    .filter((queue) => role === 'all' || (queue.role ?? 'turns') === role)
    .map((queue) => toQueueOptions(queue, taskQueue));
}

/** Lets workers run and end together. */
function joinWorkers(
  workers: Worker[],
  onShutdown: () => void,
): Pick<HoldfastWorker, 'run' | 'shutdown' | 'isRunning'> {
  const shutdown = () => {
    onShutdown();
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const run = async () => {
    const ends = await Promise.allSettled(workers.map((worker) => worker.run().finally(shutdown)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  const isRunning = () => workers.every((worker) => worker.getState() === 'RUNNING');
  return { run, shutdown, isRunning };
}

interface KeepOptions extends Pick<WorkerOptions, 'logger' | 'reviveSweeperEveryMs'> {
  state: DependencyState;
  failures: SweepFailures;
  /** Aborted when the task queue belongs to another installation: its tasks are not for this worker. */
  lostQueue: AbortController;
}

/** A sweeper that is seen to be stuck this often in a row is logged, once. */
const loggedFrom = 2;

/** Creates the schedule of the sweeper, and looks after it while the worker runs. */
async function keepSweeper(
  schedule: SweeperScheduleOptions,
  { logger, state, failures, lostQueue, reviveSweeperEveryMs = 30_000 }: KeepOptions,
) {
  await retryWhileUnavailable(() => ensureSweeperSchedule(schedule), { state, isOutage: isTemporalOutage });
  const revive = watchTemporal(() => reviveSweeper(schedule), state);
  const { workflowType: name = 'turnSweep' } = schedule;
  const timer = setInterval(() => {
    revive().then(noteStuckSweeper({ name, failures, logger }), (error: unknown) => {
      if (isTemporalOutage(error)) return;
      if (error instanceof HoldfastError && error.code === 'CONFLICT') lostQueue.abort(error);
      else logger.warn({ err: error }, 'the sweeper could not be looked after');
    });
  }, reviveSweeperEveryMs);
  return (): void => clearInterval(timer);
}

/** Counts how often in a row the workflow of a sweeper was seen to be stuck; `listFailingSweeps` shows it by its type. */
function noteStuckSweeper({
  name,
  failures,
  logger,
}: Pick<KeepOptions, 'failures' | 'logger'> & { name: string }) {
  return (stuck: Stuck | null): void => {
    if (!stuck) failures.succeeded(name);
    else if (failures.failed(name) === loggedFrom)
      logger.error(
        { workflowType: name, ...stuck },
        'the workflow of the sweeper is stuck: nothing is repaired',
      );
  };
}
