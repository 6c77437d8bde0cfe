import type { Logger } from 'pino';
import type { DependencyState } from '../../lib/dependency-state.ts';
import type { AuthenticatorDependencies } from './authenticate.ts';

/** Everything that the server itself needs, besides the dependencies of its doors. */
export interface ServerDependencies extends AuthenticatorDependencies {
  /** Notified of each request that failed because the database cannot be reached. */
  databaseState: Pick<DependencyState, 'failed'>;
  /** Origins of pages that may use the API. @default none */
  apiOrigins?: readonly string[];
  logger: Logger;
}
