import type { Connection } from '@temporalio/client';
import type { Dependencies } from './api-dependencies.ts';
import type { DependencyState } from '../platform/lib/dependency-state.ts';
import { connectTemporal } from '../platform/temporal/connect-temporal.ts';
import type { HoldfastDataConverter } from '../platform/temporal/data-converter.ts';
import { createDeliveryEngine } from '../modules/webhooks/deliveries/delivery-engine.ts';
import { createIngestionEngine } from '../modules/knowledge/ingestion-engine.ts';
import { createReplayEngine } from '../modules/replays/replay-engine.ts';
import { createScheduleEngine } from '../modules/schedules/schedule-engine.ts';
import { createRoutineEngine } from '../modules/routines/routine-engine.ts';
import { createSwarmEngine } from '../modules/swarms/swarm-engine.ts';
import { createTurnEngine } from '../modules/turns/turn-engine.ts';
import type { Config } from './config.ts';
import type { EngineCalls } from './engine-calls.ts';
import { watchTemporal } from '../platform/temporal/watch-temporal.ts';

/** How long Temporal may take to answer a check of readiness, in milliseconds. */
const readinessMs = 2000;

/** The calls that the API makes to Temporal. */
export interface ApiEngine extends Pick<
  Dependencies,
  | 'startTurn'
  | 'cancelTurn'
  | 'notifyDecision'
  | 'startIngestion'
  | 'startDelivery'
  | 'startReplay'
  | 'startRoutine'
  | 'wakeRoutine'
  | 'readRoutine'
  | 'controlRoutine'
  | 'startSwarm'
  | 'schedules'
> {
  /** Rejects when the engine does not answer. */
  checkHealth: () => Promise<unknown>;
  close: () => Promise<void>;
}

interface EngineOptions {
  config: Pick<Config, 'environment' | 'encryptPayloads'>;
  dataConverter: HoldfastDataConverter;
  taskQueue: string;
}

/** Creates the calls to Temporal. The first one opens the channel. */
export function connectEngine({ config, dataConverter, taskQueue }: EngineOptions): ApiEngine {
  const { client, connection } = connectTemporal(config.environment, dataConverter);
  const { startTurn, cancelTurn, notifyDecision } = createTurnEngine({
    ...{ client, taskQueue },
    listsMessages: !config.encryptPayloads,
  });
  const { startIngestion } = createIngestionEngine({ client, taskQueue });
  const { startDelivery } = createDeliveryEngine({ client, taskQueue });
  const { startReplay } = createReplayEngine({ client, taskQueue });
  const { startSwarm } = createSwarmEngine({ client, taskQueue });
  return {
    ...createRoutineEngine({ client, taskQueue }),
    ...{ startTurn, cancelTurn, notifyDecision, startIngestion, startDelivery, startReplay },
    schedules: createScheduleEngine({ client, taskQueue }),
    startSwarm,
    checkHealth: () => checkTemporal(connection),
    close: () => connection.close(),
  };
}

/**
 * Returns an engine whose calls that report stored work do not hold up the answer to a request. Calls whose results are in
 * the answer are awaited: the copies of schedules, the commands for routine runs, and what is read.
 */
export function awaitStartsBriefly(
  engine: ApiEngine,
  { awaitBriefly }: EngineCalls,
  state: DependencyState,
): ApiEngine {
  const { schedules } = engine;
  return {
    ...engine,
    startTurn: awaitBriefly('startTurn', watchTemporal(engine.startTurn, state)),
    cancelTurn: awaitBriefly('cancelTurn', watchTemporal(engine.cancelTurn, state)),
    notifyDecision: awaitBriefly('notifyDecision', watchTemporal(engine.notifyDecision, state)),
    startIngestion: awaitBriefly('startIngestion', watchTemporal(engine.startIngestion, state)),
    startDelivery: awaitBriefly('startDelivery', watchTemporal(engine.startDelivery, state)),
    startReplay: awaitBriefly('startReplay', watchTemporal(engine.startReplay, state)),
    startRoutine: awaitBriefly('startRoutine', watchTemporal(engine.startRoutine, state)),
    wakeRoutine: awaitBriefly('wakeRoutine', watchTemporal(engine.wakeRoutine, state)),
    startSwarm: awaitBriefly('startSwarm', watchTemporal(engine.startSwarm, state)),
    schedules: {
      ...schedules,
      deleteSchedule: awaitBriefly('deleteSchedule', watchTemporal(schedules.deleteSchedule, state)),
    },
  };
}

function checkTemporal(connection: Connection): Promise<unknown> {
  return connection.withDeadline(Date.now() + readinessMs, () =>
    connection.workflowService.getSystemInfo({}),
  );
}
