import type { Database } from '../db/connect-database.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';

/** Everything that the use cases of actions need from outside. */
export interface ActionDependencies extends Pick<
  TurnDependencies,
  'notifier' | 'tellDecision' | 'logger' | 'checksOf'
> {
  database: Pick<Database, 'pipelined' | 'transact'>;
}
