import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { Notifier } from '../../platform/database/wakeups.ts';
import type { SwarmRef } from './swarm-contract.ts';

/** Everything that the use cases of swarms need from outside. */
export interface SwarmDependencies {
  database: Pick<Database, 'pipelined' | 'transact'>;
  /** Starts the workflow of a swarm, or wakes the one that runs. */
  startSwarm: (swarm: SwarmRef) => Promise<void>;
  /** Asks the workflow of a turn to stop. */
  cancelTurn: (turnId: string) => Promise<void>;
  notifier: Pick<Notifier, 'events' | 'stop' | 'steerNow'>;
  logger: Pick<Logger, 'warn' | 'debug'>;
}
