import type { Say } from '../../src/main/dev/say.ts';
import type { ManagedProcess } from '../../src/main/dev/processes.ts';

/** The Temporal servers that are measured. */
export const engineNames = ['dev-server', 'cluster'] as const;
export type EngineName = (typeof engineNames)[number];

/** A running Temporal server. */
export interface Engine {
  address: string;
  process: ManagedProcess;
  stop: () => Promise<void>;
}

/** What an engine needs to be started. */
export interface EngineOptions {
  /** A folder for its files that is deleted in the end. */
  folder: string;
  /** Leads to a Postgres as a role that may make databases. */
  databaseUrl: string;
  cacheDir: string;
  temporalCli: string | undefined;
  environment: NodeJS.ProcessEnv;
  say: Say;
  signal: AbortSignal;
}
