import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** The address of a Holdfast, and a key of all scopes. */
export interface DevelopmentAddress {
  origin: string;
  apiKey: string;
}

/** Everything that `npm start` runs, in a process of its own. */
export interface DevelopmentProcess extends DevelopmentAddress {
  /** All that it has printed. */
  log: () => string;
  stop: () => Promise<void>;
}

/** The program beside this module's folder: TypeScript in a clone, JavaScript in the package. */
const program = path.join(import.meta.dirname, '..', 'main', `dev${path.extname(import.meta.filename)}`);

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
  const own = Object.entries(process.env).filter(([name]) => kept.test(name) || !dropped.test(name));
  const child = spawn(process.execPath, [program, '--no-push', '--data', dataDir], {
    env: {
      ...Object.fromEntries(own),
      // A profile of the user would lead to another cluster.
      TEMPORAL_CONFIG_FILE: path.join(dataDir, 'no-profile.toml'),
      ...variables,
      PORT: '0',
    },
    // The end of the channel tells it to stop, also when this process is killed.
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
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
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
