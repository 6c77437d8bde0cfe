import type { Database } from '../../platform/database/connect-database.ts';

/** Everything that the use cases of workspaces and their API keys need from the rest of the program. */
export interface WorkspaceDependencies {
  database: Database;
}

/** The limits of what a workspace may create. */
export interface WorkspaceLimits {
  /** The most API keys that are neither revoked nor expired. */
  apiKeysPerWorkspace: number;
}

/** The settings of the installation, for workspaces without their own. */
export interface WorkspaceStandards {
  /** The age in days at which turns are removed; undefined keeps them. */
  retentionDays: number | undefined;
}
