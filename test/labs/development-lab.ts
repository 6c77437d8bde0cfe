import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { findRunning, isAlive, type Running } from '../../src/main/running.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const programs = path.resolve('test/main/dev/programs');

/** A running `npm start`, with an API and a worker that do nothing. */
interface Development {
  child: ChildProcess;
  output: () => string;
  /** Waits until it has printed a text. */
  printed: (text: string) => Promise<void>;
  /** Its exit code. */
  ended: Promise<number | null>;
}

/** How to start it: its arguments, and variables beside those of this process. */
interface LaunchOptions {
  words?: string[];
  variables?: Record<string, string>;
}

/** Creates a new data folder, over which `npm start` and programs that join it can run; all end with the test. */
export function createDevelopmentLab(always: Record<string, string> = {}) {
  const dataDir = path.join(createTemporaryFolder(), 'data');
  const launch = ({ words = [], variables = {} }: LaunchOptions = {}): Development => {
    const child = spawn(process.execPath, [path.join(programs, 'dev.ts'), ...words], {
      env: {
        ...{ ...process.env, PORT: '0', HOLDFAST_DATA_DIR: dataDir },
        ...{ HOLDFAST_TEMPORAL_CLI: inject('temporalBinary'), ...always, ...variables },
      },
    });
    return watch(child);
  };
  const getRunning = (): Running => {
    const running = findRunning(dataDir);
    if (running === undefined) throw new Error('running.json is missing');
    return running;
  };
  /** Waits until everything runs. */
  const launchFully = async (options?: LaunchOptions) => {
    const development = launch(options);
    await development.printed('Ctrl-C stops everything.');
    return { ...development, running: getRunning() };
  };
  return { dataDir, launch, launchFully, getRunning, join: (name: string) => join(dataDir, name) };
}

function watch(child: ReturnType<typeof spawn>): Development {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const printed = async (text: string) => {
    while (!output.includes(text)) {
      if (child.exitCode !== null) throw new Error(`It ended without "${text}":\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { child, output: () => output, printed, ended };
}

/** Starts a program by hand, as `npm run api` and `npm run worker` do. */
function join(dataDir: string, name: string) {
  const child = spawn(process.execPath, [path.join(programs, 'joining.ts'), name], {
    env: { ...process.env, HOLDFAST_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  const firstLine = async () => String((await once(child.stdout, 'data'))[0]);
  return { pid: child.pid, kill, firstLine };
}

/** The names of those processes that run. */
export function listAlive({ pids }: Running): string[] {
  return Object.entries(pids).flatMap(([name, pid]) => (isAlive(Number(pid)) ? [name] : []));
}
