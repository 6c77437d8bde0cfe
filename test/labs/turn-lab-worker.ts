import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { loadConfig } from '../../src/main/config.ts';
import { createLogger } from '../../src/main/logger.ts';
import { installTemporalLogger } from '../../src/platform/temporal/temporal-logger.ts';
import { createWorker } from '../../src/main/create-worker.ts';
import { checkWithVendors } from './checked-model.ts';

const program = fileURLToPath(new URL('../../src/main/worker.ts', import.meta.url));

/** A worker in this process; `stop` lets running steps finish. */
export interface LocalWorker {
  stop: () => Promise<void>;
}

/** A worker in a separate process, as in a deployment. */
export interface WorkerProcess {
  pid: number;
  /** Kills the worker as a crash would. */
  kill: () => Promise<void>;
  /** Asks the worker to stop, waits until it has ended, and returns its exit code. */
  stop: () => Promise<number | null>;
}

/** The longest interval of a timer in Node: no test meets a sweep that it did not start. */
const neverMs = 2_147_483_647;

let hasTemporalLogger = false;

/** Sends the log of the SDK to the program's log. Has to run before the first worker starts. */
export function ensureTemporalLogger(logger: Logger): void {
  if (!hasTemporalLogger) installTemporalLogger(logger);
  hasTemporalLogger = true;
}

/** Starts a worker inside the test's own process. */
export async function startLocalWorker(
  environment: Record<string, string>,
  more: { maxCachedWorkflows?: number } = {},
): Promise<LocalWorker> {
  const config = loadConfig(environment);
  const logger = createLogger(config, 'worker');
  ensureTemporalLogger(logger);
  const databaseUrl = config.database.url ?? '';
  const overrides = { adaptModel: checkWithVendors };
  const worker = await createWorker({
    ...{ ...more, config, databaseUrl, logger, overrides, reviveSweeperEveryMs: neverMs },
  });
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
    },
  };
}

/** Starts `src/main/worker.ts` and waits until it says that it is ready. */
export async function startWorkerProcess(environment: Record<string, string>): Promise<WorkerProcess> {
  const child = fork(program, {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await waitUntilReady(child);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    }
    return child.exitCode;
  };
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`the worker ended with code ${code} before it was ready`)));
  });
}
