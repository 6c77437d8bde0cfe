import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type {
  ActivityDependencies,
  StepRepositories,
  StepTools,
} from '../../activities/activity-dependencies.ts';
import { findStepEnd } from '../../activities/step-deadline.ts';
import { createSweepFailures } from '../../activities/sweep/sweep-failures.ts';
import { createToolQuarantine } from '../agents/create-tool-quarantine.ts';
import type { Database } from '../db/connect-database.ts';
import { createActionRepository } from '../db/actions/action-repository.ts';
import { createGrantRepository } from '../db/actions/grant-repository.ts';
import { createGrantedCalls } from '../db/actions/granted-calls.ts';
import { createWaitingTurnRepository } from '../db/actions/waiting-turn-repository.ts';
import { createToolPinReader } from '../db/agents/tool-pin-repository.ts';
import { createConnectionRepository } from '../db/connections/connection-repository.ts';
import { createCreditLedgerRepository } from '../db/credits/credit-ledger-repository.ts';
import { createCreditSweepRepository } from '../db/credits/credit-sweep-repository.ts';
import { createDocumentSweepRepository } from '../db/knowledge/document-sweep-repository.ts';
import { outlastOutages } from '../db/outlast-outages.ts';
import type { Query } from '../db/statement.ts';
import { createChildTurnRepository } from '../db/turns/child-turn-repository.ts';
import { createLiveCallRepository } from '../db/replays/live-call-repository.ts';
import { createReplayCaseRepository } from '../db/replays/replay-case-repository.ts';
import { createReplaySweepRepository } from '../db/replays/replay-sweep-repository.ts';
import { createReplayRepository } from '../db/replays/replay-repository.ts';
import { createRoutineCallRepository } from '../db/routines/routine-call-repository.ts';
import { createRoutineEventRepository } from '../db/routines/routine-event-repository.ts';
import { createRoutineRunRepository } from '../db/routines/routine-run-repository.ts';
import { createRoutineSweepRepository } from '../db/routines/routine-sweep-repository.ts';
import { createRecordedStepRepository } from '../db/turns/recorded-step-repository.ts';
import { createStoredResultRepository } from '../db/turns/stored-result-repository.ts';
import { createStreamChunkWriter } from '../db/turns/stream-chunk-writer.ts';
import { createToolCallRepository } from '../db/turns/tool-call-repository.ts';
import { createSteeringRepository } from '../db/turns/steering-repository.ts';
import { createCompactionRepository } from '../db/turns/compaction-repository.ts';
import { createTurnAnswerRepository } from '../db/turns/turn-answer-repository.ts';
import { createTurnContextRepository } from '../db/turns/turn-context-repository.ts';
import { createTurnRepository } from '../db/turns/turn-repository.ts';
import { createSweepRepository } from '../db/turns/turn-sweep-repository.ts';
import { createStuckSweepRepository } from '../db/stuck-workflow-repository.ts';
import { createTriggerSweepRepository } from '../db/triggers/trigger-sweep-repository.ts';
import { createDeliverySweepRepository } from '../db/webhooks/delivery-sweep-repository.ts';
import { limitMcpCalls } from '../mcp/limit-mcp-calls.ts';
import { createLanguageModelCaller } from '../models/create-language-model-caller.ts';
import { checkModelName } from '../models/model-name.ts';
import { sealToOrigin } from '../models/seal-to-origin.ts';
import { createRecordRemoval, type RemoveRecords } from '../retention/create-record-removal.ts';
import { createDeliveryEngine } from '../temporal/delivery-engine.ts';
import { createIngestionEngine } from '../temporal/ingestion-engine.ts';
import { createReplayEngine } from '../temporal/replay-engine.ts';
import { createRoutineEngine } from '../temporal/routine-engine.ts';
import { createStuckEngine } from '../temporal/stuck-engine.ts';
import { createTurnEngine } from '../temporal/turn-engine.ts';
import { checkToolInputs } from '../tools/check-tool-inputs.ts';
import type { McpToolDependencies } from '../tools/mcp/call-remote-tool.ts';
import { schemaChecksOf } from '../tools/json-schema/schema-checks.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';
import { createOpenApiReader } from '../tools/openapi/read-document.ts';
import { createInnerCallFinder, createToolRunner } from '../tools/run-tool.ts';
import { createImportedEffects } from '../tools/mcp/imported-effects.ts';
import { createEffectOf } from '../tools/tool-effect.ts';
import { summarizeToolCall } from '../tools/tool-summary.ts';
import type { Config } from './config.ts';
import {
  createUnsettledCallRepository,
  createUnsettledCallSweepRepository,
} from '../db/turns/unsettled-call-repository.ts';
import { createReplayServicesFactory } from './create-replay-services.ts';
import type { Services } from './create-services.ts';
import { createSwarmServices } from './create-swarm-services.ts';
import { createToolServices, type ToolServiceParts } from './create-tool-services.ts';
import { createScheduleServices } from './create-schedule-services.ts';
import { rememberVersions } from './remember-versions.ts';
import { watchTemporal } from './watch-temporal.ts';

interface ActivityParts {
  config: Pick<Config, 'encryptPayloads' | 'models' | 'retentionDays' | 'webhookPausesMs' | 'stuckAfterMs'>;
  services: Services;
  /** The worker's channel to Temporal, which the activities share. */
  client: Client;
  logger: Logger;
}

/** Builds the dependencies of the activities from the services of a worker. */
export function createActivityDependencies({
  config,
  services,
  client,
  logger,
}: ActivityParts): Omit<ActivityDependencies, 'isShuttingDown'> {
  const { database, databaseState, knowledge, notifier, taskQueue, wakeups, workflowTargets, partFiles } =
    services;
  const engine = createTurnEngine({ client, taskQueue, listsMessages: !config.encryptPayloads });
  const { startDelivery } = createDeliveryEngine({ client, taskQueue });
  services.deliveryStarter.startWith(watchTemporal(startDelivery, services.temporalState));
  const units = createUnitsOfWork(outlastOutages(database, { until: findStepEnd, state: databaseState }));
  const turnDependencies = createTurnDependencies(services, engine, logger);
  const { startReplay } = createReplayEngine({ client, taskQueue });
  const routines = createRoutineServices({ services, client, logger });
  const swarms = createSwarmServices({ services, client, turnDependencies, logger });
  const callLanguageModel = createLanguageModelCaller(config.models, services.modelConnections);
  const tools = createStepTools({
    ...{ config, services, turnDependencies, callLanguageModel, logger },
    ...{ routines, swarms: swarms.dependencies },
  });
  return {
    ...units,
    schedules: createScheduleServices({
      ...{ services, client, routines, turns: turnDependencies },
      replays: {
        ...{ database, startReplay, logger, checkTools: checkToolInputs },
        checkModelName: (name, options) => checkModelName(config.models, name, options),
      },
    }),
    replays: {
      createServices: createReplayServicesFactory({
        ...{ tools, logger, partFiles, pipelined: units.pipelined, rateLimiter: services.rateLimiter },
        callLanguageModel: createLanguageModelCaller(config.models, services.modelConnections, sealToOrigin),
      }),
      sweep: createReplaySweepRepository(database.system),
      startReplay,
    },
    routines,
    swarms,
    triggers: createTriggerServices({ database, turnDependencies, routines }),
    ...createSweepParts({ services, client, config }),
    removeRecords: createRemoval(services, { config, logger }),
    documents: {
      ingestion: knowledge.ingestion,
      engine: createIngestionEngine({ client, taskQueue }),
      sweep: createDocumentSweepRepository(database.system),
    },
    webhooks: { ...createWebhookServices(services, config), startDelivery },
    appendChunks: createStreamChunkWriter(outlastOutages(database, { until: () => 0, state: databaseState })),
    callLanguageModel,
    modelStates: services.modelStates,
    tools,
    engine,
    ...{ turnDependencies, workflowTargets, notifier, wakeups, logger, partFiles },
  };
}

function createTurnDependencies(
  { database, notifier, wakeups, temporalState }: Services,
  { startTurn, cancelTurn, tellDecision }: ReturnType<typeof createTurnEngine>,
  logger: Logger,
): TurnDependencies {
  return {
    ...{ database, notifier, wakeups, logger, cancelTurn, tellDecision },
    startTurn: watchTemporal(startTurn, temporalState),
    checksOf: schemaChecksOf,
  };
}

function createSweepParts({
  services: { database, taskQueue },
  client,
  config: { stuckAfterMs: afterMs },
}: Omit<ActivityParts, 'logger'>): Pick<
  ActivityDependencies,
  'sweep' | 'creditSweep' | 'sweepFailures' | 'unsettledCalls' | 'stuck'
> {
  return {
    sweep: createSweepRepository(database.system),
    creditSweep: createCreditSweepRepository(database.system),
    sweepFailures: createSweepFailures(),
    unsettledCalls: createUnsettledCallSweepRepository(database.system),
    stuck: {
      sweep: createStuckSweepRepository(database.system),
      engine: createStuckEngine({ client, taskQueue }),
      afterMs,
    },
  };
}

function createRemoval(
  { database, fileStorage: { bucket } }: Services,
  { config: { retentionDays }, logger }: Pick<ActivityParts, 'config' | 'logger'>,
): RemoveRecords {
  return createRecordRemoval({ database, bucket, logger, retentionDays });
}

function createWebhookServices(
  { database, keyRing, webhookFetch, connectionAccess, router }: Services,
  { webhookPausesMs }: ActivityParts['config'],
): Omit<ActivityDependencies['webhooks'], 'startDelivery'> {
  return {
    attempts: {
      ...{ database, keyRing, fetch: webhookFetch, pausesMs: webhookPausesMs },
      slack: { database, openConnection: connectionAccess.open, execute: router.executeMCPTool },
    },
    sweep: createDeliverySweepRepository(database.system),
  };
}

function createTriggerServices({
  database,
  turnDependencies,
  routines,
}: Pick<Services, 'database'> &
  Pick<ActivityDependencies, 'turnDependencies' | 'routines'>): ActivityDependencies['triggers'] {
  return {
    starts: { ...turnDependencies, database, startRoutine: routines.startRoutine },
    sweep: createTriggerSweepRepository(database.system),
  };
}

function createRoutineServices({ services, client, logger }: Omit<ActivityParts, 'config'>) {
  const { database, taskQueue, documentFetch, connectionAccess, temporalState } = services;
  const engine = createRoutineEngine({ client, taskQueue });
  return {
    ...{ ...engine, startRoutine: watchTemporal(engine.startRoutine, temporalState) },
    ...{ database, logger },
    sweep: createRoutineSweepRepository(database.system),
    readOpenApi: createOpenApiReader({
      fetch: documentFetch,
      services: { secrets: { open: connectionAccess.openSecret } },
    }),
  };
}

function createStepTools(toolParts: ToolServiceParts): StepTools {
  const { services } = toolParts;
  const { fetch, functions, knowledge, providers, findProviderEntry } = services;
  const imported = createImportedEffects(findProviderEntry);
  const parts = {
    fetch,
    functions,
    knowledge,
    services: createToolServices(toolParts),
    mcp: createMcpTools(services),
  };
  return {
    run: createToolRunner(parts),
    findInnerCall: createInnerCallFinder(parts),
    effectOf: createEffectOf({ functions, providers, imported }),
    loadEffects: imported.load,
    checksOf: schemaChecksOf,
    summarize: summarizeToolCall,
  };
}

function createMcpTools({ database, mcp, rateLimiter, ...services }: Services): McpToolDependencies {
  return {
    mcp: { ...mcp, callTool: limitMcpCalls(mcp.callTool, rateLimiter) },
    blobs: services.blobs,
    connections: services.connectionAccess,
    executeProviderTool: services.router.executeMCPTool,
    findProviderEntry: services.findProviderEntry,
    pins: createToolQuarantine(database),
    findConnectionByName: (workspaceId, name) =>
      database.inWorkspace(workspaceId, (trx) => createConnectionRepository(trx).findConnectionId(name)),
  };
}

type UnitsOfWork = Pick<ActivityDependencies, 'pipelined' | 'transact' | 'getVersion'>;

function createUnitsOfWork(database: Pick<Database, 'pipelined' | 'transact'>): UnitsOfWork {
  const pipelined: UnitsOfWork['pipelined'] = (workspaceId, run) =>
    database.pipelined(workspaceId, (query) => run(createStepRepositories(query)));
  return {
    pipelined,
    transact: (workspaceId, run) =>
      database.transact(workspaceId, (query) => run(createStepRepositories(query))),
    getVersion: rememberVersions((workspaceId, versionId) =>
      pipelined(workspaceId, ({ context }) => context.getVersion(versionId)),
    ),
  };
}

function createStepRepositories(query: Query): StepRepositories {
  return {
    context: createTurnContextRepository(query),
    answers: createTurnAnswerRepository(query),
    compactions: createCompactionRepository(query),
    toolCalls: createToolCallRepository(query),
    unsettledCalls: createUnsettledCallRepository(query),
    childTurns: createChildTurnRepository(query),
    turns: createTurnRepository(query),
    actions: createActionRepository(query),
    waiting: createWaitingTurnRepository(query),
    steering: createSteeringRepository(query),
    grants: createGrantRepository(query),
    grantedCalls: createGrantedCalls(query),
    pins: createToolPinReader(query),
    replays: createReplayRepository(query),
    replayCases: createReplayCaseRepository(query),
    liveCalls: createLiveCallRepository(query),
    recordedSteps: createRecordedStepRepository(query),
    storedResults: createStoredResultRepository(query),
    routineRuns: createRoutineRunRepository(query),
    routineCalls: createRoutineCallRepository(query),
    routineEvents: createRoutineEventRepository(query),
    credits: createCreditLedgerRepository(query),
  };
}
