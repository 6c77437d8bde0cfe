import type { Database } from '../../platform/database/connect-database.ts';
import type { TurnDependencies } from '../turns/turn-dependencies.ts';

/** Everything that the use cases of messages need from outside. */
export interface InboxDependencies extends Omit<TurnDependencies, 'database'> {
  database: Pick<Database, 'inWorkspace' | 'pipelined' | 'transact'>;
}
