import type { Database } from '../db/connect-database.ts';

/** Everything that the use cases of workspaces and their API keys need from the rest of the program. */
export interface WorkspaceDependencies {
  database: Database;
}
