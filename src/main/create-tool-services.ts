import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createPriceRepository } from '../db/credits/price-repository.ts';
import { controlRun } from '../routines/control-run.ts';
import { readRun, waitForRun } from '../routines/read-run.ts';
import { startRun } from '../routines/start-run.ts';
import { createRoutineEngine } from '../temporal/routine-engine.ts';
import type { RoutineToolService } from '../tools/functions/run-routine.ts';
import { createSwarmService } from '../swarms/swarm-service.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';
import type { ToolServices } from '../tools/tool-services.ts';
import type { Services } from './create-services.ts';
import { createSwarmServices } from './create-swarm-services.ts';

/** Parts that the services of core functions are built from. */
export interface ToolServiceParts {
  services: Services;
  /** The connection to Temporal of the program that runs the functions. */
  client: Client;
  /** The dependencies of the use cases in `src/turns`. */
  turnDependencies: TurnDependencies;
  logger: Logger;
}

/** Builds the services that core functions call: one line for each service that a function has declared. */
export function createToolServices(parts: ToolServiceParts): ToolServices {
  const { database } = parts.services;
  return {
    routines: createRoutineTools(parts),
    readPrices: (workspaceId) =>
      database.inWorkspace(workspaceId, async (trx) => (await createPriceRepository(trx).getPrices()).prices),
    swarms: createSwarmService(createSwarmServices(parts).dependencies),
  };
}

function createRoutineTools({ services, client, logger }: ToolServiceParts): RoutineToolService {
  const { database, taskQueue } = services;
  const dependencies = { database, logger, ...createRoutineEngine({ client, taskQueue }) };
  return {
    start: async ({ waitMs, signal, ...run }) => {
      const { id: runId } = (await startRun(dependencies, { ...run, startedBy: null })).run;
      await waitForRun(dependencies, run, { runId, waitMs, signal });
      return readRun(dependencies, run, runId);
    },
    control: ({ workspaceId, runId, command }) =>
      controlRun(dependencies, { workspaceId }, { runId, command }),
    read: ({ workspaceId, runId }) => readRun(dependencies, { workspaceId }, runId),
  };
}
