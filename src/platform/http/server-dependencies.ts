import type { Logger } from 'pino';
import type { KeyActor } from '../../domain/actor.ts';
import type { DependencyState } from '../lib/dependency-state.ts';

/** Everything that the server itself needs, besides the dependencies of its doors. */
export interface ServerDependencies {
  /** Notified of each request that failed because the database cannot be reached. */
  databaseState: Pick<DependencyState, 'failed'>;
  /**
   * Finds the caller by the text after `Bearer` in `Authorization`.
   * @throws HoldfastError `UNAUTHORIZED` for a text that is no valid credential
   */
  authenticateBearer: (text: string) => Promise<KeyActor>;
  /**
   * Finds the caller by the secret of a session.
   * @throws HoldfastError `UNAUTHORIZED` for a session that is unknown or has ended
   */
  authenticateSession: (secret: string) => Promise<KeyActor>;
  /** Where browsers reach the API. */
  publicUrl: () => string;
  /** Origins of pages that may use the API. @default none */
  apiOrigins?: readonly string[];
  logger: Logger;
}
