import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { loadConfig } from '../../src/main/config.ts';
import { connectDatabase, type Database } from '../../src/platform/database/connect-database.ts';
import type { ToolCallRow } from '../../src/modules/turns/calls/tool-call-rows.ts';
import { createNotifier, type Notifier } from '../../src/platform/database/wakeups.ts';
import { createKeylessActor, type Actor } from '../../src/domain/actor.ts';
import { decideAction } from '../../src/modules/actions/decide-action.ts';
import type { DecisionInput, PendingAction } from '../../src/domain/action.ts';
import { schemaChecksOf } from '../../src/engines/tools/json-schema/schema-checks.ts';
import { createTurnStarter } from '../../src/modules/turns/direct/create-turn-starter.ts';
import { cancelTurn } from '../../src/modules/turns/cancel-turn.ts';
import type { TurnDependencies } from '../../src/modules/turns/turn-dependencies.ts';
import type { ConversationEvent } from '../../src/domain/event.ts';
import type { TurnDetails } from '../../src/domain/turn.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { connectTemporal } from '../../src/platform/temporal/connect-temporal.ts';
import { createDataConverter } from '../../src/platform/temporal/data-converter.ts';
import { createTurnEngine } from '../../src/modules/turns/turn-engine.ts';
import type { SweepResults } from '../../src/contract/sweep-steps.ts';
import { getInstallationId } from '../../src/platform/database/installation-repository.ts';
import { runAsOwner } from './database-login.ts';
import { assertVendorsTook } from './checked-model.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';
import { startScriptedModel, type ScriptedModel } from '../servers/scripted-model.ts';
import { temporalAddress, uniqueTaskQueue } from './temporal.ts';
import {
  startLocalWorker,
  startWorkerProcess,
  type LocalWorker,
  type WorkerProcess,
} from './turn-lab-worker.ts';
import { createLabReaders, type LabChunk } from './turn-lab-readers.ts';
import { createLabScene, type LabScene, type LabSceneOptions } from './turn-lab-scene.ts';

/** An interval so long that no test meets a sweep that it did not start. */
const noSweeps = String(365 * 24 * 60 * 60 * 1000);

/** Options of `startTurnLab`. */
export interface TurnLabOptions {
  /** Entries of the MCP catalogue, in the `mcpServers` form. */
  mcpServers?: Record<string, unknown>;
  /** Entries of the catalogue of workflow types. */
  workflows?: Record<string, unknown>;
  /** @default true: a worker runs in this process */
  worker?: boolean;
  /** @default the server that all tests share */
  temporalAddress?: string;
  /** The id that the database gets as an installation. @default that of all test databases */
  installationId?: string;
  /** The port of a proxy through which the workers reach the database. */
  databasePort?: number;
  /** More settings for the workers. */
  environment?: Record<string, string>;
}

/** Everything a test needs to run turns: real database, engine, workers, model and tools, all its own. */
export interface TurnLab {
  workspaceId: string;
  database: Database;
  databaseUrl: string;
  client: Client;
  engine: ReturnType<typeof createTurnEngine>;
  notifier: Notifier;
  /** The dependencies of the use cases of turns. A failing call to a workflow fails the test. */
  turns: TurnDependencies;
  taskQueue: string;
  model: ScriptedModel;
  /** The options for starting a worker. */
  environment: Record<string, string>;
  startWorker: () => Promise<LocalWorker>;
  /** Starts a worker in a separate process, with more variables where a test needs them. */
  startWorkerProcess: (variables?: Record<string, string>) => Promise<WorkerProcess>;
  /** An agent with its own scripted model, and a conversation with it. */
  scene: (options?: LabSceneOptions) => Promise<LabScene>;
  /** Asks a turn to stop, the way the API does. */
  cancelTurn: (turnId: string) => Promise<{ running: boolean }>;
  /** Decides what a turn waits for, the way the API does, by default without a key. */
  decide: (actionId: string, input: DecisionInput, by?: Partial<Actor>) => Promise<PendingAction>;
  /** Waits until a turn waits for so many people's decisions. */
  waitForActions: (turnId: string, count?: number) => Promise<PendingAction[]>;
  /** Runs one round of the sweeper's workflow. */
  sweep: () => Promise<SweepResults>;
  readTurn: (turnId: string) => Promise<TurnDetails>;
  /** Waits until the turn is settled and its workflow has ended. */
  waitForOutcome: (turnId: string) => Promise<TurnDetails>;
  /** Waits until the outcome is stored, but not for the end of the workflow. */
  waitUntilSettled: (turnId: string) => Promise<TurnDetails>;
  readLedger: (turnId: string) => Promise<ToolCallRow[]>;
  readEvents: (conversationId: string) => Promise<ConversationEvent[]>;
  readChunks: (turnId: string) => Promise<LabChunk[]>;
  /** Runs statements as the owner of the tables, such as a trigger that makes the database refuse a row. */
  asOwner: (statements: string) => Promise<void>;
  close: () => Promise<void>;
}

/** Builds a laboratory; usually once a test file, in `beforeAll`. */
export async function startTurnLab(options: TurnLabOptions = {}): Promise<TurnLab> {
  const site = await startSite(options);
  const lab = await openLab(site);
  if (options.worker ?? true) await lab.startWorker();
  return {
    ...lab,
    close: async () => {
      await lab.close();
      await site.close();
      await site.model.close();
    },
  };
}

let shared: Promise<{ site: Site; worker: LocalWorker }> | undefined;

/**
 * Returns a laboratory with a worker and the usual options. Its database, model, worker and task queue are those that all test
 * files of this process use one after the other; its workspace is new. A file that sweeps, stops the worker, or looks at the rows
 * of all workspaces starts a separate one with `startTurnLab`.
 */
export async function shareTurnLab(): Promise<TurnLab> {
  shared ??= startSite({}).then(async (site) => ({
    site,
    worker: await startLocalWorker(site.environment),
  }));
  const { site } = await shared;
  site.model.requests.length = 0;
  const lab = await openLab(site);
  return {
    ...lab,
    // The next file continues with the rest, which ends with the process.
    close: async () => {
      await lab.close();
      site.model.finish();
    },
  };
}

/** The database, Temporal client, model and task queue that the workspaces of a lab share. */
type Site = Awaited<ReturnType<typeof startSite>>;

async function startSite(options: TurnLabOptions) {
  const [testDatabase, model, folder] = await Promise.all([
    createTestDatabase(),
    startScriptedModel(),
    mkdtemp(path.join(tmpdir(), 'holdfast-lab-')),
  ]);
  const environment = {
    ...(await toEnvironment(
      { databaseUrl: withPort(testDatabase.url, options.databasePort), folder, model },
      options,
    )),
    ...options.environment,
  };
  const taskQueue = environment.HOLDFAST_TASK_QUEUE;
  const database = connectDatabase({ url: testDatabase.url });
  if (options.installationId !== undefined) {
    await runAsOwner(testDatabase.url, `UPDATE installation SET id = '${options.installationId}'`);
  }
  const temporal = await connectLab(database, environment);
  const { client } = temporal;
  const engine = createTurnEngine({ client, taskQueue });
  const notifier = createNotifier({ database, onError: () => undefined });
  const turns = toTurnDependencies({ database, engine, notifier });
  return {
    ...{
      database,
      databaseUrl: testDatabase.url,
      client,
      engine,
      notifier,
      turns,
      taskQueue,
      model,
      environment,
    },
    close: async () => {
      await deleteSweeper(client, taskQueue);
      await notifier.flush();
      await temporal.connection.close();
      await closeStores(database, testDatabase);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a lab with a new workspace; `close` ends the workers that it started. */
async function openLab(site: Site): Promise<TurnLab> {
  const { database, databaseUrl, client, turns, engine, environment, taskQueue } = site;
  const workspaceId = newId();
  await database.system('workspaces').insert({ id: workspaceId, name: 'Lab' });
  const running = { workers: [] as LocalWorker[], processes: [] as WorkerProcess[] };
  const base = { ...site, workspaceId };
  return {
    ...base,
    ...createLabReaders(database, workspaceId, client),
    asOwner: (statements) => runAsOwner(databaseUrl, statements),
    startWorker: async () => track(running.workers, await startLocalWorker(environment)),
    startWorkerProcess: async (variables) =>
      track(running.processes, await startWorkerProcess({ ...environment, ...variables })),
    scene: (sceneOptions) => createLabScene(base, sceneOptions),
    cancelTurn: async (turnId) => {
      const cancelled = await cancelTurn(turns, { workspaceId }, turnId);
      return { running: cancelled.running };
    },
    decide: (id, input, by) =>
      decideAction(
        { ...turns, notifyDecision: engine.notifyDecision },
        { ...createKeylessActor(workspaceId, 'temporal'), ...by },
        { id, input },
      ),
    sweep: () =>
      client.workflow.execute('turnSweep', {
        taskQueue,
        workflowId: `sweep-${newId()}`,
        args: [{ intervalMs: 1, durationMs: 0 }],
      }),
    close: async () => {
      await Promise.all(running.processes.map((worker) => worker.kill()));
      await Promise.all(running.workers.map((worker) => worker.stop()));
      assertVendorsTook();
    },
  };
}

function toTurnDependencies({
  database,
  engine,
  notifier,
}: Pick<TurnLab, 'database' | 'engine' | 'notifier'>): TurnDependencies {
  const fail = (details: unknown, message?: string) => {
    throw new Error(message, { cause: details });
  };
  const { startTurn, offerTo } = createTurnStarter(engine.startTurn);
  offerTo((input) => notifier.offer(JSON.stringify(input)));
  return {
    database,
    notifier,
    startTurn,
    cancelTurn: engine.cancelTurn,
    notifyDecision: engine.notifyDecision,
    wakeups: { onEvents: () => () => undefined, isListening: () => false },
    checksOf: schemaChecksOf,
    logger: { warn: fail, debug: fail },
  };
}

/** Connects a client whose payloads name the installation, as those of the API do. */
async function connectLab(database: Database, environment: Record<string, string>) {
  const installationId = await getInstallationId(database.system);
  return connectTemporal(environment, createDataConverter({ ...loadConfig(environment), installationId }));
}

function withPort(address: string, port: number | undefined): string {
  const url = new URL(address);
  if (port !== undefined) url.port = String(port);
  return url.href;
}

function track<Item extends object>(list: Item[], item: Item): Item {
  list.push(item);
  return item;
}

interface LabParts {
  databaseUrl: string;
  folder: string;
  model: ScriptedModel;
}

async function toEnvironment(
  { databaseUrl, folder, model }: LabParts,
  { mcpServers = {}, workflows = {}, temporalAddress: address = temporalAddress() }: TurnLabOptions,
) {
  const catalogue = path.join(folder, 'mcp.json');
  await writeFile(catalogue, JSON.stringify({ mcpServers }));
  const workflowCatalogue = path.join(folder, 'workflows.json');
  await writeFile(workflowCatalogue, JSON.stringify({ workflows }));
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: address,
    HOLDFAST_TASK_QUEUE: uniqueTaskQueue('lab'),
    HOLDFAST_COMPATIBLE_BASE_URL: model.baseUrl,
    HOLDFAST_MCP_CONFIG: catalogue,
    HOLDFAST_WORKFLOWS_CONFIG: workflowCatalogue,
    HOLDFAST_ALLOW_LOOPBACK: 'true',
    HOLDFAST_DATA_DIR: folder,
    HOLDFAST_ENCRYPTION_KEYS: `lab:${randomBytes(32).toString('base64')}`,
    HOLDFAST_SWEEP_INTERVAL_MS: noSweeps,
    HOLDFAST_LOG_LEVEL: process.env['HOLDFAST_LOG_LEVEL'] ?? 'silent',
  };
}

async function deleteSweeper(client: Client, taskQueue: string): Promise<void> {
  for (const name of ['sweeper', 'removal']) {
    await client.schedule
      .getHandle(`holdfast-${name}-${taskQueue}`)
      .delete()
      .catch(() => undefined);
  }
}

async function closeStores(database: Database, testDatabase: TestDatabase): Promise<void> {
  await database.close();
  await testDatabase.drop();
}
