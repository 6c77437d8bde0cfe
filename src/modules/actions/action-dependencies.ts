import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { Notifier } from '../../platform/database/wakeups.ts';
import type { SchemaChecksOf } from '../../domain/schema-checks.ts';

/** Everything that the use cases of actions need from outside. */
export interface ActionDependencies {
  database: Pick<Database, 'pipelined' | 'transact'>;
  /** Signals the workflow of a turn that an action was decided; does nothing when the workflow has ended. */
  notifyDecision: (turnId: string, actionId: string) => Promise<void>;
  notifier: Pick<Notifier, 'events' | 'stop' | 'steerNow'>;
  checksOf: SchemaChecksOf;
  logger: Pick<Logger, 'warn' | 'debug'>;
}
