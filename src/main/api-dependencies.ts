import type { Logger } from 'pino';
import type { Database } from '../db/connect-database.ts';
import type { DependenciesOf } from '../http/server/door.ts';
import type { ServerDependencies } from '../http/server/server-dependencies.ts';
import type { doors } from './doors.ts';

/** Everything that the HTTP API needs: what each file of routes and each door names, and what the server uses. */
export interface Dependencies extends ServerDependencies, DependenciesOf<(typeof doors)[number]> {
  database: Database;
  logger: Logger;
  publicUrl: () => string;
}
