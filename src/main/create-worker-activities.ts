import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { ToolServices } from '../../activities/activity-dependencies.ts';
import { type Activities, createActivities } from '../../activities/index.ts';
import type { Config } from './config.ts';
import { createActivityDependencies } from './create-activity-dependencies.ts';
import { createFunctionBackEnds, loadFunctionRegistry } from './create-functions.ts';
import { createMcpTools } from './create-mcp-tools.ts';
import { createServices } from './create-services.ts';
import { connectDatabase } from '../db/connect-database.ts';
import { createNotifier, listenForWakeups } from '../db/wakeups.ts';
import type { CallLanguageModel } from '../domain/model.ts';
import { createGuardedFetch } from '../egress/guarded-fetch.ts';
import { type McpCatalogue, loadMcpCatalogue } from '../mcp/catalogue.ts';
import { createLanguageModelCaller } from '../models/create-language-model-caller.ts';
import { createIngestionEngine } from '../temporal/ingestion-engine.ts';
import { createTurnEngine } from '../temporal/turn-engine.ts';
import { createToolExecutors, type ToolDependencies } from '../tools/create-tool-executors.ts';
import { checkToolArguments } from '../tools/json-schema/tool-arguments.ts';
import { createEffectOf, type EffectParts } from '../tools/tool-effect.ts';
import { summarizeToolCall } from '../tools/tool-summary.ts';
import { createWorkflowTargets, loadWorkflowCatalogue } from '../tools/workflow-catalogue.ts';

interface WorkerActivityOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** On the worker's own connection. */
  client: Client;
  /** @default the models of the configuration */
  callLanguageModel?: CallLanguageModel;
  /** @default the tools of this program and the operator's catalogues */
  tools?: ToolServices;
  /** Closes what is opened here. */
  stack: AsyncDisposableStack;
}

/** Builds all that a worker's activities need, and the activities. */
export async function createWorkerActivities(options: WorkerActivityOptions): Promise<Activities> {
  const { config, databaseUrl, logger, client, stack } = options;
  const createFunctions = await loadFunctionRegistry({ config, logger });
  const workflowTargets = createWorkflowTargets(await loadWorkflowCatalogue(config.workflowsConfigPath));
  const catalogue = await readCatalogue(config);
  const database = connectDatabase({ url: databaseUrl, poolSize: config.database.poolSize });
  stack.defer(database.close);
  const services = await createServices({ config, database, logger, catalogue });
  stack.defer(services.close);
  const wakeups = await listenForWakeups(databaseUrl);
  stack.defer(wakeups.close);
  const onError = (error: unknown) =>
    logger.warn({ err: error }, 'readers were not woken up; they look again by themselves');
  const notifier = createNotifier({ database, onError });
  stack.defer(notifier.flush);
  const { knowledge, providers, modelConnections } = services;
  const fetch = createGuardedFetch({ allowLoopback: config.allowLoopback });
  stack.defer(() => fetch.close());
  const functions = createFunctions(createFunctionBackEnds(config, services));
  const mcp = createMcpTools(database, services);
  const { taskQueue } = config;
  const dependencies = createActivityDependencies({
    database,
    callLanguageModel:
      options.callLanguageModel ?? createLanguageModelCaller(config.models, modelConnections),
    tools: options.tools ?? createToolServices({ fetch, functions, knowledge, mcp, providers }),
    workflowTargets,
    engine: createTurnEngine({ client, taskQueue }),
    ingestion: knowledge.ingestion,
    ingestionEngine: createIngestionEngine({ client, taskQueue }),
    notifier,
    wakeups,
    logger,
  });
  return createActivities(dependencies);
}

async function readCatalogue({ mcpConfigPath, environment }: Config): Promise<McpCatalogue> {
  if (mcpConfigPath === undefined) return new Map();
  return loadMcpCatalogue({ path: mcpConfigPath, env: environment });
}

function createToolServices(parts: ToolDependencies & EffectParts): ToolServices {
  return {
    executors: createToolExecutors(parts),
    effectOf: createEffectOf(parts),
    checkArguments: checkToolArguments,
    summarize: summarizeToolCall,
  };
}
