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

/** The input for starting an engine. */
export interface EngineOptions {
  /** A folder for its files, which is deleted at the end. */
  folder: string;
  /** The address of a Postgres for a role that may create databases. */
  databaseUrl: string;
  cacheDir: string;
  temporalCli: string | undefined;
  environment: NodeJS.ProcessEnv;
  say: Say;
  signal: AbortSignal;
}
