import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { parseEnv } from 'node:util';
import pg from 'pg';
import { beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { findRunning, type Running } from '../../../src/main/running.ts';
import { temporalAddress } from '../../labs/temporal.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';

const program = path.resolve('test/main/dev/programs/dev.ts');

let dataDir: string;
beforeEach(() => {
  dataDir = path.join(createTemporaryFolder(), 'data');
});

/** A running `npm start`, with an API and a worker that do nothing. */
interface Development {
  child: ChildProcess;
  output: () => string;
  /** Waits until it has printed a text. */
  printed: (text: string) => Promise<void>;
  /** Its exit code. */
  ended: Promise<number | null>;
}

function launch(commandArguments: string[] = [], variables: Record<string, string> = {}): Development {
  const child = spawn(process.execPath, [program, ...commandArguments], {
    env: {
      ...process.env,
      PORT: '0',
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_TEMPORAL_CLI: inject('temporalBinary'),
      ...variables,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
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

async function launchFully(commandArguments?: string[], variables?: Record<string, string>) {
  const development = launch(commandArguments, variables);
  await development.printed('Ctrl-C stops everything.');
  return { ...development, running: getRunning() };
}

/** Starts a program by hand, as `npm run api` and `npm run worker` do. */
function join(name: string) {
  const child = spawn(process.execPath, [path.resolve('test/main/dev/programs/joining.ts'), name], {
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

function getRunning(): Running {
  const running = findRunning(dataDir);
  if (running === undefined) throw new Error('running.json is missing');
  return running;
}

function listAlive({ pids }: Running): string[] {
  return Object.entries(pids).flatMap(([name, pid]) => {
    try {
      process.kill(Number(pid), 0);
      return [name];
    } catch {
      return [];
    }
  });
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

describe('npm start', () => {
  it('starts everything once over a data folder, stops everything on Ctrl-C, and keeps its data', async () => {
    const first = await launchFully();
    expect(listAlive(first.running)).toEqual(['dev', 'api', 'worker', 'temporal', 'postgres', 'mcp']);
    const refused = launch();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      `Holdfast is already running over ${dataDir} (process ${first.running.pids.dev})`,
    );
    expect((await fetch(first.running.api)).status).toBe(200);
    expect(first.output()).toContain(first.running.temporal.ui);
    expect(statSync(path.join(dataDir, 'running.json')).mode & 0o777).toBe(0o600);
    await query(first.running.postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(first.output()).toContain('Everything is stopped.');
    expect(listAlive(first.running)).toEqual([]);
    expect(existsSync(path.join(dataDir, 'running.json'))).toBe(false);
    const second = await launchFully();
    const kept = await query(second.running.postgres.url, 'SELECT answer FROM kept');
    expect(kept).toEqual([{ answer: 42 }]);
  });

  it('starts the worker and the API again when they are killed, and running.json follows their successors', async () => {
    const { child, running, printed, output, ended } = await launchFully();
    for (const [name, consequence] of [
      ['worker', 'Accepted turns wait.'],
      ['api', 'Turns go on.'],
    ] as const) {
      const killed = running.pids[name] ?? 0;
      process.kill(killed, 'SIGKILL');
      const title = name === 'api' ? 'API' : name;
      await printed(`The ${title} runs again.`);
      expect(output()).toContain(
        `!!! The ${title} (process ${killed}) ended with signal SIGKILL. ${consequence}`,
      );
      await vi.waitFor(() => {
        const { [name]: pid } = getRunning().pids;
        expect(pid).toEqual(expect.any(Number));
        expect(pid).not.toBe(killed);
      });
    }
    expect((await fetch(running.api)).status).toBe(200);
    expect(listAlive(getRunning())).toEqual(['dev', 'api', 'worker', 'temporal', 'postgres', 'mcp']);
    const successors = getRunning();
    child.kill();
    expect(await ended).toBe(0);
    expect(listAlive(successors)).toEqual([]);
  });

  it('goes on starting a worker that ends each time, and stops when it is told to', async () => {
    const { child, running, printed, ended } = await launchFully([], { WORKER_ENDS_AFTER_STARTS: '1' });
    process.kill(running.pids.worker ?? 0, 'SIGKILL');
    await printed('It is started again in 2 s.');
    child.kill();
    expect(await ended).toBe(0);
    expect(listAlive(running)).toEqual([]);
  });

  it('is joined by programs that are started by hand, and writes variables for others', async () => {
    const { child, running, output, ended } = await launchFully(['--no-worker'], {
      HOLDFAST_ALLOW_LOOPBACK: 'connections',
    });
    expect(output()).toContain('No worker runs');
    expect(running.pids.worker).toBeUndefined();
    const joined = join('worker');
    const settings = JSON.parse(await joined.firstLine()) as unknown;
    expect(settings).toEqual({
      port: Number(new URL(running.api).port),
      allowLoopback: { connections: true, tools: false },
    });
    await vi.waitFor(() => expect(getRunning().pids.worker).toBe(joined.pid));
    expect(getRunning().joined).toContainEqual({ name: 'worker', pid: joined.pid });
    await joined.kill();
    await vi.waitFor(() => expect(getRunning().pids).not.toHaveProperty('worker'));
    const file = path.join(dataDir, 'env');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, 'utf8'))).toEqual({
      HOLDFAST_URL: running.api,
      HOLDFAST_API_KEY: 'no-key',
      HOLDFAST_WORKSPACE: 'none',
      HOLDFAST_CONVERSATION: 'none',
      HOLDFAST_TEMPORAL_ADDRESS: running.temporal.address,
      HOLDFAST_TEMPORAL_NAMESPACE: 'default',
      HOLDFAST_TEMPORAL_TASK_QUEUE: 'none',
    });
    child.kill();
    expect(await ended).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('stops everything when any other process exits', async () => {
    const { running, output, ended } = await launchFully();
    process.kill(running.pids.temporal ?? 0, 'SIGKILL');
    expect(await ended).toBe(1);
    expect(output()).toContain('Temporal ended by itself with signal SIGKILL. Everything was stopped.');
    expect(listAlive(running)).toEqual([]);
  });

  it('cleans up after a start that was killed', async () => {
    const first = await launchFully();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await launchFully();
    expect(listAlive(first.running)).toEqual([]);
    expect(listAlive(second.running)).toHaveLength(6);
  });

  it('uses the Postgres and the Temporal of the environment variables', async () => {
    const { running } = await launchFully([], {
      DATABASE_URL: inject('postgresUrl'),
      TEMPORAL_ADDRESS: temporalAddress(),
    });
    expect(running.postgres.url).toBe(inject('postgresUrl'));
    expect(running.temporal).toEqual({ address: temporalAddress(), namespace: 'default' });
    expect(listAlive(running)).toEqual(['dev', 'api', 'worker', 'mcp']);
  });

  it('uses another port for the API when the first is taken, and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { running, output } = await launchFully([], { PORT: String(port) });
    expect(output()).toContain(`Port ${port} for the API is taken by another program`);
    expect(running.api).not.toContain(String(port));
  });

  it('stops cleanly during its start', async () => {
    const { child, output, ended } = launch();
    while (!existsSync(path.join(dataDir, 'processes', 'Temporal'))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(output()).toContain('Everything is stopped.');
    expect(existsSync(path.join(dataDir, 'processes', 'Temporal'))).toBe(false);
  });
});
