import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { FieldError } from '../../domain/errors.ts';
import type { ReplayRef } from './replay-contract.ts';

/** Everything that the use cases of replays need from outside. */
export interface ReplayDependencies {
  database: Pick<Database, 'inWorkspace' | 'pipelined'>;
  /** Starts the workflow of a replay, or wakes the one that runs. */
  startReplay: (replay: ReplayRef) => Promise<void>;
  /** Says what is wrong with the name of a model; null when it can be used. */
  checkModelName: (name: string, options?: { hasConnection: boolean }) => string | null;
  /** Says what is wrong with tools, by the path in their list. */
  checkTools: (tools: readonly unknown[]) => FieldError[];
  logger: Pick<Logger, 'warn' | 'debug'>;
}
