import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { StepDependencies, StepRepositories, StepTools } from '../../activities/step-dependencies.ts';
import type { CallLanguageModel } from '../domain/model.ts';
import { findStepEnd } from '../platform/activity/step-deadline.ts';
import { createToolQuarantine } from '../modules/agents/tools/create-tool-quarantine.ts';
import type { Database } from '../platform/database/connect-database.ts';
import { createActionRepository } from '../modules/actions/action-repository.ts';
import { createGrantRepository } from '../modules/actions/grant-repository.ts';
import { createGrantedCalls } from '../modules/actions/granted-calls.ts';
import { createWaitingTurnRepository } from '../modules/actions/waiting-turn-repository.ts';
import { createToolPinReader } from '../modules/agents/tools/tool-pin-repository.ts';
import { createConnectionRepository } from '../modules/connections/connection-repository.ts';
import { createCreditLedgerRepository } from '../modules/credits/credit-ledger-repository.ts';
import { retryTransactions } from '../platform/database/retry-transactions.ts';
import type { Query } from '../platform/database/statement.ts';
import type { UnitOfWork } from '../platform/database/unit-of-work.ts';
import type { RoutineDependencies } from '../modules/routines/routine-dependencies.ts';
import type { SwarmDependencies } from '../modules/swarms/swarm-dependencies.ts';
import { createSwarmEngine } from '../modules/swarms/swarm-engine.ts';
import { createChildTurnRepository } from '../modules/turns/calls/child-turn-repository.ts';
import { createLiveCallRepository } from '../modules/replays/recorded/live-call-repository.ts';
import { createReplayCaseRepository } from '../modules/replays/replay-case-repository.ts';
import { createReplayRepository } from '../modules/replays/replay-repository.ts';
import { createRoutineCallRepository } from '../modules/routines/calls/routine-call-repository.ts';
import { createRecordedStepRepository } from '../modules/turns/forks/recorded-step-repository.ts';
import { createSkillReaderRepository } from '../modules/skills/skill-reader-repository.ts';
import { createStoredResultRepository } from '../modules/turns/calls/stored-result-repository.ts';
import { createStreamChunkWriter } from '../modules/turns/events/stream-chunk-writer.ts';
import { createToolCallRepository } from '../modules/turns/calls/tool-call-repository.ts';
import { createSteeringRepository } from '../modules/turns/messages/steering-repository.ts';
import { createCompactionRepository } from '../modules/turns/context/compaction-repository.ts';
import { createTurnAnswerRepository } from '../modules/turns/turn-answer-repository.ts';
import { createTurnContextRepository } from '../modules/turns/context/turn-context-repository.ts';
import { createTurnRepository } from '../modules/turns/turn-repository.ts';
import { limitMcpCalls } from '../engines/mcp/limit-mcp-calls.ts';
import { createLanguageModelCaller } from '../engines/models/create-language-model-caller.ts';
import { createRoutineEngine } from '../modules/routines/routine-engine.ts';
import { createTurnStarter, type TurnStarter } from '../modules/turns/direct/create-turn-starter.ts';
import { createTurnEngine } from '../modules/turns/turn-engine.ts';
import type { McpToolDependencies } from '../engines/tools/mcp/call-remote-tool.ts';
import { schemaChecksOf } from '../engines/tools/json-schema/schema-checks.ts';
import type { TurnDependencies } from '../modules/turns/turn-dependencies.ts';
import { createInnerCallFinder, createToolRunner } from '../engines/tools/run-tool.ts';
import { createOperationEffects } from '../engines/tools/mcp/operation-effects.ts';
import { createEffectOf } from '../engines/tools/tool-effect.ts';
import { summarizeToolCall } from '../engines/tools/tool-summary.ts';
import type { Config } from './config.ts';
import { createUnsettledCallRepository } from '../modules/turns/calls/unsettled-call-repository.ts';
import type { Services } from './create-services.ts';
import { createToolServices, type ToolServiceParts } from './create-tool-services.ts';
import { rememberVersions } from './remember-versions.ts';
import { watchTemporal } from '../platform/temporal/watch-temporal.ts';

/** The parts that the dependencies of activities are built from. */
export interface ActivityParts {
  config: Pick<Config, 'encryptPayloads' | 'models' | 'retentionDays' | 'webhookPausesMs' | 'stuckAfterMs'>;
  services: Services;
  /** The worker's channel to Temporal, which the activities share. */
  client: Client;
  logger: Logger;
  /** Aborted when the worker stops. */
  shutdown: AbortSignal;
}

/** The dependencies of the steps of turns, with those of the nouns whose work core functions start. */
export interface StepParts {
  steps: StepDependencies;
  turnStarter: TurnStarter;
  units: UnitsOfWork;
  routines: RoutineDependencies;
  swarms: SwarmDependencies;
}

/** Builds the dependencies of the steps of turns from the services of a worker. */
export function createStepDependencies(
  parts: ActivityParts,
  adaptModel: (call: CallLanguageModel) => CallLanguageModel,
): StepParts {
  const { config, services, client, logger, shutdown } = parts;
  const { database, databaseState, notifier, taskQueue, wakeups, workflowTargets, partFiles } = services;
  const engine = createTurnEngine({ client, taskQueue, listsMessages: !config.encryptPayloads });
  const units = createUnitsOfWork(retryTransactions(database, { until: findStepEnd, state: databaseState }));
  const turnStarter = createTurnStarter(watchTemporal(engine.startTurn, services.temporalState));
  const turnDependencies = createTurnDependencies(services, { ...engine, ...turnStarter }, logger);
  const routines = createRoutineDependencies(parts);
  const swarms = createSwarmDependencies(parts, turnDependencies);
  const callLanguageModel = adaptModel(createLanguageModelCaller(config.models, services.modelConnections));
  const steps = {
    ...units,
    writeChunk: createStreamChunkWriter({
      storeUnsynced: database.storeUnsynced,
      takeNotifications: notifier.take,
    }),
    callLanguageModel,
    modelStates: services.modelStates,
    tools: createStepTools({
      ...{ config, services, turnDependencies, callLanguageModel, logger, routines, swarms },
    }),
    ...{ engine, turnDependencies, workflowTargets, notifier, wakeups, logger, partFiles, shutdown },
  };
  return { steps, turnStarter, units, routines, swarms };
}

function createTurnDependencies(
  { database, notifier, wakeups }: Services,
  { startTurn, cancelTurn, notifyDecision }: ReturnType<typeof createTurnEngine>,
  logger: Logger,
): TurnDependencies {
  return {
    ...{ database, notifier, wakeups, logger, startTurn, cancelTurn, notifyDecision },
    checksOf: schemaChecksOf,
  };
}

function createRoutineDependencies({ services, client, logger }: ActivityParts): RoutineDependencies {
  const { database, taskQueue, temporalState } = services;
  const engine = createRoutineEngine({ client, taskQueue });
  return { ...engine, startRoutine: watchTemporal(engine.startRoutine, temporalState), database, logger };
}

function createSwarmDependencies(
  { services, client, logger }: ActivityParts,
  { cancelTurn }: Pick<TurnDependencies, 'cancelTurn'>,
): SwarmDependencies {
  const { database, notifier, taskQueue, temporalState } = services;
  const startSwarm = watchTemporal(createSwarmEngine({ client, taskQueue }).startSwarm, temporalState);
  return { database, notifier, logger, startSwarm, cancelTurn };
}

function createStepTools(toolParts: ToolServiceParts): StepTools {
  const { services } = toolParts;
  const { fetch, functions, knowledge, findProviderEntry } = services;
  const operations = createOperationEffects(findProviderEntry);
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
    effectOf: createEffectOf({ functions, operations }),
    loadEffects: operations.load,
    checksOf: schemaChecksOf,
    summarize: summarizeToolCall,
  };
}

function createMcpTools({ database, mcp, rateLimiter, ...services }: Services): McpToolDependencies {
  return {
    mcp: { ...mcp, callTool: limitMcpCalls(mcp.callTool, rateLimiter) },
    resultFiles: services.resultFiles,
    connections: services.connectionAccess,
    executeProviderTool: services.router.executeMCPTool,
    findProviderEntry: services.findProviderEntry,
    pins: createToolQuarantine(database),
    findConnectionByName: (workspaceId, name) =>
      database.inWorkspace(workspaceId, (trx) => createConnectionRepository(trx).findConnectionId(name)),
  };
}

/** The transactions of steps: with their repositories, and with a query for repositories of others. */
export interface UnitsOfWork extends Pick<StepDependencies, 'pipelined' | 'transact' | 'getVersion'> {
  inPipeline: UnitOfWork<Query>;
  inTransaction: UnitOfWork<Query>;
}

function createUnitsOfWork({
  pipelined: inPipeline,
  transact: inTransaction,
}: Pick<Database, 'pipelined' | 'transact'>): UnitsOfWork {
  const pipelined: UnitsOfWork['pipelined'] = (scope, run) =>
    inPipeline(scope, (query) => run(createStepRepositories(query)));
  return {
    ...{ inPipeline, inTransaction, pipelined },
    transact: (scope, run) => inTransaction(scope, (query) => run(createStepRepositories(query))),
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
    skills: createSkillReaderRepository(query),
    routineCalls: createRoutineCallRepository(query),
    credits: createCreditLedgerRepository(query),
  };
}
