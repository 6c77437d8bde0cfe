import type { Config } from '../config.ts';
import { findPort } from './ports.ts';
import { startProcess, type ManagedProcess } from './processes.ts';
import type { Say } from './say.ts';
import { waitForHttp, waitForMessage } from './wait-for-ready.ts';

/** The files of the programs that `npm start` runs. */
export interface Programs {
  api: string;
  worker: string;
  /** The program that pushes agents; without it none are. */
  cli?: string;
}

interface StartProgramsOptions {
  config: Config;
  programs: Programs;
  /** Whether to start the worker too. */
  worker: boolean;
  /** The environment variables with the addresses of the services. */
  variables: Record<string, string>;
  noteFolder: string;
  say: Say;
  /** Called with each process when it has started, before it is ready. */
  onStarted: (managed: ManagedProcess) => void;
}

/** The API and the worker, both ready. */
export interface RunningPrograms {
  /** The address of the API, without a path. */
  origin: string;
  api: ManagedProcess;
  worker: ManagedProcess | undefined;
}

/**
 * The options of Node for a worker. Its steps last for milliseconds: with the 16 MiB of the default, V8 keeps hundreds of
 * MiB of what they have left behind.
 */
export const workerNodeOptions = ['--max-semi-space-size=8'];

/** Variables of a worker. Each of its native threads would otherwise keep a pool of memory of its own (glibc). */
export const workerVariables = { MALLOC_ARENA_MAX: '2' };

/** Starts the API and the worker and waits until both are ready. */
export async function startPrograms(options: StartProgramsOptions): Promise<RunningPrograms> {
  const { config, programs, worker: withWorker, say } = options;
  const port = await findPort({
    name: 'the API',
    preferred: config.http.port,
    say,
    dataDir: config.dataDir,
  });
  const origin = `http://127.0.0.1:${port}`;
  const api = await startProgram(options, { name: 'api', command: [programs.api], port });
  const worker = withWorker
    ? await startProgram(options, { name: 'worker', command: [...workerNodeOptions, programs.worker], port })
    : undefined;
  await Promise.all([
    waitForMessage(api).then(() => waitForHttp(`${origin}/health/ready`, api)),
    worker && waitForMessage(worker),
  ]);
  return { origin, api, worker };
}

interface Program {
  name: string;
  /** The options of Node and the file to run. */
  command: string[];
  port: number;
}

async function startProgram(
  options: StartProgramsOptions,
  { name, command, port }: Program,
): Promise<ManagedProcess> {
  const { config, variables, noteFolder, say, onStarted } = options;
  const managed = await startProcess({
    name,
    file: process.execPath,
    arguments: command,
    environment: {
      ...(name === 'worker' ? workerVariables : {}),
      ...config.environment,
      ...variables,
      HOLDFAST_DATA_DIR: config.dataDir,
      HOLDFAST_ENCRYPTION_KEYS_FILE: config.encryption.file,
      PORT: String(port),
    },
    output: { say },
    messages: true,
    noteFolder,
  });
  onStarted(managed);
  return managed;
}
