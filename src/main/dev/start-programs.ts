import type { Config } from '../config.ts';
import type { ProgramName } from '../running.ts';
import { findPort } from './ports.ts';
import { startProcess, type ManagedProcess } from './processes.ts';
import { createProgramOutput } from './program-output.ts';
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
  /** Whether all that the programs log is shown. @default false */
  verbose?: boolean;
  /** Called with each process when it has started, before it is ready. */
  onStarted: (managed: ManagedProcess) => void;
}

/** The API and the worker. */
export interface RunningPrograms {
  /** The address of the API, without a path. */
  origin: string;
  /** The newest process of each program that was started. */
  current: () => Partial<Record<ProgramName, ManagedProcess>>;
  /** Starts a program that has ended once more, and waits until it is ready. */
  restart: (name: ProgramName) => Promise<void>;
}

/**
 * The options of Node for the API and the worker. Their steps and requests last for milliseconds: with the default, V8 keeps
 * between 70 and some hundred MiB of what they have left behind.
 */
export const programNodeOptions = ['--max-semi-space-size=8'];

/** Variables of the API and the worker. Each native thread would otherwise keep its own pool of memory (glibc). */
export const programVariables = { MALLOC_ARENA_MAX: '2' };

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
  const current: ReturnType<RunningPrograms['current']> = {};
  const outputs = { api: openOutput(options, 'api'), worker: openOutput(options, 'worker') };
  const start = async (name: ProgramName) => {
    const command = [...programNodeOptions, programs[name]];
    const managed = await startProgram(options, { name, command, port, line: outputs[name] });
    current[name] = managed;
    return managed;
  };
  const waitFor = async (managed: ManagedProcess) => {
    await waitForMessage(managed);
    if (managed.name === 'api') await waitForHttp(`${origin}/health/ready`, managed);
  };
  const api = await start('api');
  const worker = withWorker ? await start('worker') : undefined;
  await Promise.all([waitFor(api), worker && waitFor(worker)]);
  return { origin, current: () => current, restart: async (name) => waitFor(await start(name)) };
}

function openOutput({ config, say, verbose = false }: StartProgramsOptions, name: ProgramName) {
  const { dataDir } = config;
  return createProgramOutput({ dataDir, name, say, verbose, isTerminal: process.stdout.isTTY });
}

interface Program {
  name: ProgramName;
  /** The options of Node and the file to run. */
  command: string[];
  port: number;
  /** Takes each line of its output. */
  line: (line: string) => void;
}

async function startProgram(
  options: StartProgramsOptions,
  { name, command, port, line }: Program,
): Promise<ManagedProcess> {
  const { config, variables, noteFolder, onStarted } = options;
  const managed = await startProcess({
    name,
    file: process.execPath,
    arguments: command,
    environment: {
      ...programVariables,
      ...config.environment,
      ...variables,
      HOLDFAST_DATA_DIR: config.dataDir,
      HOLDFAST_ENCRYPTION_KEYS_FILE: config.encryption.file,
      PORT: String(port),
    },
    output: { line },
    messages: true,
    noteFolder,
  });
  onStarted(managed);
  return managed;
}
