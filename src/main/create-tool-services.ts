import type { Logger } from 'pino';
import type { StepDependencies } from '../../activities/step-dependencies.ts';
import { callModelOnce } from '../modules/credits/call-model-once.ts';
import { getPrices } from '../modules/credits/workspace-prices.ts';
import { createStoredResultRepository } from '../modules/turns/calls/stored-result-repository.ts';
import { createMessageService } from '../modules/inbox/create-message-service.ts';
import { checkModelName, findModelWarning } from '../engines/models/model-name.ts';
import { openSkills } from '../modules/skills/open-skills.ts';
import { createResourceService } from '../modules/resources/create-resource-service.ts';
import { checkCaller } from '../modules/routines/runs/check-caller.ts';
import { controlRun } from '../modules/routines/runs/control-run.ts';
import { readRun, waitForRun } from '../modules/routines/runs/read-run.ts';
import type { RoutineDependencies } from '../modules/routines/routine-dependencies.ts';
import { startRun } from '../modules/routines/runs/start-run.ts';
import { createToolCheck } from '../engines/tools/check-tool.ts';
import type { ResourceService } from '../engines/tools/functions/resource-service.ts';
import type { RoutineToolService } from '../engines/tools/functions/run-routine.ts';
import type { SwarmDependencies } from '../modules/swarms/swarm-dependencies.ts';
import { createSwarmService } from '../modules/swarms/swarm-service.ts';
import type { ToolServices } from '../engines/tools/tool-services.ts';
import type { TurnDependencies } from '../modules/turns/turn-dependencies.ts';
import type { Config } from './config.ts';
import type { Services } from './create-services.ts';

/** Parts that the services of core functions are built from. */
export interface ToolServiceParts {
  config: Pick<Config, 'models'>;
  services: Services;
  callLanguageModel: StepDependencies['callLanguageModel'];
  /** The dependencies of the use cases in `src/modules/routines`. */
  routines: RoutineDependencies;
  /** The dependencies of the use cases in `src/modules/swarms`. */
  swarms: SwarmDependencies;
  /** The dependencies of the use cases in `src/modules/turns`. */
  turnDependencies: TurnDependencies;
  logger: Logger;
}

/** Builds the services that core functions call: one line for each service that a function has declared. */
export function createToolServices(parts: ToolServiceParts): ToolServices {
  const { callLanguageModel, services, routines, swarms } = parts;
  const { database, connectionAccess } = services;
  return {
    routines: createRoutineTools(routines),
    resources: createResourceTools(parts),
    messages: createMessageService({ ...parts.turnDependencies, database }),
    readPrices: async (workspaceId) => (await getPrices({ database }, { workspaceId })).own,
    secrets: { open: connectionAccess.openSecret },
    findStoredResult: ({ workspaceId, turnId, callId }) =>
      database.transact(workspaceId, (query) =>
        createStoredResultRepository(query).findOfConversation(turnId, callId),
      ),
    openSkills: (call) => openSkills(database, call),
    callModel: (asked) => callModelOnce({ database, callLanguageModel }, asked),
    swarms: createSwarmService(swarms),
  };
}

function createResourceTools({ config, services, logger }: ToolServiceParts): ResourceService {
  const { database, discovery, functions, workflowTargets: workflowTypes, mcp } = services;
  return createResourceService({
    ...{ database, discovery, functions, workflowTypes, logger },
    checkModelName: (name, options) => checkModelName(config.models, name, options),
    findModelWarning: (name, options) => findModelWarning(config.models, name, options),
    checkTool: createToolCheck(services),
    mcpServers: mcp.servers(),
  });
}

function createRoutineTools(dependencies: RoutineDependencies): RoutineToolService {
  return {
    start: async ({ waitMs, signal, ...run }) => {
      const { id: runId } = (await startRun(dependencies, { ...run, startedBy: null })).run;
      await waitForRun(dependencies, run, { runId, waitMs, signal });
      return readRun(dependencies, run, runId);
    },
    control: async ({ workspaceId, command, ...called }) => {
      await checkCaller(dependencies, { workspaceId }, called);
      return controlRun(dependencies, { workspaceId }, { runId: called.runId, command });
    },
    read: async ({ workspaceId, ...called }) => {
      await checkCaller(dependencies, { workspaceId }, called);
      return readRun(dependencies, { workspaceId }, called.runId);
    },
  };
}
