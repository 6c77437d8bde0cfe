import type { Logger } from 'pino';
import type { Database } from '../platform/database/connect-database.ts';
import type { DependenciesOf } from '../platform/http/door.ts';
import type { ServerDependencies } from '../platform/http/server-dependencies.ts';
import type { doors } from './doors.ts';

/** Everything that the HTTP API needs: what each file of routes and each door names, and what the server uses. */
export interface Dependencies extends ServerDependencies, DependenciesOf<(typeof doors)[number]> {
  database: Database;
  logger: Logger;
  publicUrl: () => string;
}
