import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { SwarmServices } from '../../activities/activity-dependencies.ts';
import { createSwarmSweepRepository } from '../db/swarms/swarm-sweep-repository.ts';
import { createSwarmEngine } from '../temporal/swarm-engine.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';
import type { Services } from './create-services.ts';
import { watchTemporal } from './watch-temporal.ts';

interface SwarmParts {
  services: Services;
  client: Client;
  turnDependencies: Pick<TurnDependencies, 'cancelTurn'>;
  logger: Logger;
}

/** Builds the dependencies of swarms in a worker. */
export function createSwarmServices({
  services,
  client,
  turnDependencies: { cancelTurn },
  logger,
}: SwarmParts): SwarmServices {
  const { database, notifier, taskQueue, temporalState } = services;
  const startSwarm = watchTemporal(createSwarmEngine({ client, taskQueue }).startSwarm, temporalState);
  return {
    dependencies: { database, notifier, logger, startSwarm, cancelTurn },
    sweep: createSwarmSweepRepository(database.system),
  };
}
