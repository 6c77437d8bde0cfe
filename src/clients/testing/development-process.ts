import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';

/** The address of a Holdfast, and a key of all scopes. */
export interface DevelopmentAddress {
  origin: string;
  apiKey: string;
}

/** Everything that `npm start` runs, in its own process. */
export interface DevelopmentProcess extends DevelopmentAddress {
  /** All that it has printed. */
  log: () => string;
  /**
   * Runs a command of the administrator, such as `['api-keys', 'create', …]`, and returns what it prints.
   * @throws Error with the reason that the command prints; `AbortError` when aborted
   */
  administer: (commandArguments: string[], signal: AbortSignal) => Promise<string>;
  stop: () => Promise<void>;
}

/** Finds a program beside this module's folder: TypeScript in a clone, JavaScript in the package. */
function toProgram(name: string): string {
  return path.join(import.meta.dirname, '../../main', `${name}${path.extname(import.meta.filename)}`);
}

/** The variables of a project that reach its tests; the others lead to databases, clusters and accounts. */
const kept = /^HOLDFAST_(?:CACHE_DIR|TEMPORAL_CLI|FUNCTIONS|SECRET_\w+)$/;
const dropped = /^(?:HOLDFAST_\w+|TEMPORAL_\w+|DATABASE_\w*URL|PORT|HOST|\w+_API_KEY)$/;

/**
 * Starts Postgres, Temporal, the API and a worker over a data folder, on free ports. They stop when this process ends,
 * however it does.
 * @throws Error with what was printed when something does not start
 */
export async function startDevelopmentProcess(
  dataDir: string,
  variables: Record<string, string>,
): Promise<DevelopmentProcess> {
  const environment = toEnvironment(dataDir, variables);
  const child = spawn(process.execPath, [toProgram('dev'), '--no-push', '--data', dataDir], {
    env: { ...environment, PORT: '0' },
    // The child stops when the channel closes, which also happens when this process is killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
  }
  const ended = once(child, 'close');
  const failed = ended.then(() => Promise.reject(new Error(`Holdfast did not start:\n${log}`)));
  failed.catch(() => undefined);
  const { origin, apiKey } = await Promise.race([receiveAddress(child), failed]);
  return {
    ...{ origin, apiKey },
    log: () => log,
    administer: (commandArguments, signal) =>
      administer([...commandArguments, '--data', dataDir], { env: environment, signal }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function toEnvironment(dataDir: string, variables: Record<string, string>): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => kept.test(name) || !dropped.test(name));
  return {
    ...Object.fromEntries(own),
    // A profile of the user would lead to another cluster.
    TEMPORAL_CONFIG_FILE: path.join(dataDir, 'no-profile.toml'),
    ...variables,
  };
}

async function administer(
  commandArguments: string[],
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<string> {
  try {
    const command = [toProgram('holdfast'), ...commandArguments];
    return (await promisify(execFile)(process.execPath, command, options)).stdout.trim();
  } catch (error) {
    options.signal.throwIfAborted();
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw reason === '' ? error : new Error(reason, { cause: error });
  }
}

function receiveAddress(child: ChildProcess): Promise<DevelopmentAddress> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (isReady(message)) resolve(message);
    });
  });
}

function isReady(message: unknown): message is DevelopmentAddress {
  return typeof message === 'object' && message !== null && 'origin' in message && 'apiKey' in message;
}
