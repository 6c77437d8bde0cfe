import { existsSync, readFileSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createDevelopmentLab, listAlive } from '../../labs/development-lab.ts';
import { eventually } from '../../labs/eventually.ts';
import { temporalAddress } from '../../labs/temporal.ts';

let lab: ReturnType<typeof createDevelopmentLab>;
beforeEach(() => {
  lab = createDevelopmentLab({
    DATABASE_URL: inject('postgresUrl'),
    TEMPORAL_ADDRESS: temporalAddress(),
  });
});

describe('npm start, with the Postgres and the Temporal of the environment variables', () => {
  it('starts everything once over a data folder, and stops everything on Ctrl-C', async () => {
    const first = await lab.launchFully();
    expect(first.running.postgres.url).toBe(inject('postgresUrl'));
    expect(first.running.temporal).toEqual({ address: temporalAddress(), namespace: 'default' });
    expect(listAlive(first.running)).toEqual(['dev', 'api', 'worker', 'mcp']);
    const refused = lab.launch();
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      `Holdfast is already running over ${lab.dataDir} (process ${first.running.pids.dev})`,
    );
    expect((await fetch(first.running.api)).status).toBe(200);
    expect(statSync(path.join(lab.dataDir, 'running.json')).mode & 0o777).toBe(0o600);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);
    expect(first.output()).toContain('Everything is stopped.');
    expect(listAlive(first.running)).toEqual([]);
    expect(existsSync(path.join(lab.dataDir, 'running.json'))).toBe(false);
  });

  it('starts the worker and the API again when they are killed, and running.json follows their successors', async () => {
    const { child, running, printed, output, ended } = await lab.launchFully();
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
      await vi.waitFor(
        () => {
          const { [name]: pid } = lab.getRunning().pids;
          expect(pid).toEqual(expect.any(Number));
          expect(pid).not.toBe(killed);
        },
        { timeout: 30_000 },
      );
    }
    expect((await fetch(running.api)).status).toBe(200);
    expect(listAlive(lab.getRunning())).toEqual(['dev', 'api', 'worker', 'mcp']);
    const successors = lab.getRunning();
    child.kill();
    expect(await ended).toBe(0);
    expect(listAlive(successors)).toEqual([]);
  });

  it('goes on starting a worker that ends each time, and stops when it is told to', async () => {
    const { child, running, printed, ended } = await lab.launchFully({
      variables: { WORKER_ENDS_AFTER_STARTS: '1' },
    });
    process.kill(running.pids.worker ?? 0, 'SIGKILL');
    await printed('It is started again in 2 s.');
    child.kill();
    expect(await ended).toBe(0);
    expect(listAlive(running)).toEqual([]);
  });

  it('is joined by programs that are started by hand, and writes variables for others', async () => {
    const { child, running, output, ended } = await lab.launchFully({
      words: ['--no-worker'],
      variables: { HOLDFAST_ALLOW_LOOPBACK: 'connections' },
    });
    expect(output()).toContain('No worker runs');
    expect(running.pids.worker).toBeUndefined();
    const joined = lab.join('worker');
    const settings = JSON.parse(await joined.firstLine()) as unknown;
    expect(settings).toEqual({
      port: Number(new URL(running.api).port),
      allowLoopback: { connections: true, tools: false },
    });
    await vi.waitFor(() => expect(lab.getRunning().pids.worker).toBe(joined.pid), { timeout: 30_000 });
    expect(lab.getRunning().joined).toContainEqual({ name: 'worker', pid: joined.pid });
    await joined.kill();
    await vi.waitFor(() => expect(lab.getRunning().pids).not.toHaveProperty('worker'), { timeout: 30_000 });
    const file = path.join(lab.dataDir, 'env');
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

  it('stops everything when a process exits that it does not start again', async () => {
    const { running, output, ended } = await lab.launchFully();
    process.kill(running.pids.mcp ?? 0, 'SIGKILL');
    expect(await ended).toBe(1);
    expect(output()).toContain('ended by itself with signal SIGKILL. Everything was stopped.');
    expect(listAlive(running)).toEqual([]);
  });

  it('cleans up after a start that was killed', async () => {
    const first = await lab.launchFully();
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await lab.launchFully();
    // Its processes end by themselves; the worker lets running steps finish.
    await eventually(
      () => listAlive(first.running),
      (alive) => alive.length === 0,
    );
    expect(listAlive(second.running)).toHaveLength(4);
  });

  it('uses another port for the API when the first is taken, and says so', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { running, output } = await lab.launchFully({ variables: { PORT: String(port) } });
    expect(output()).toContain(`Port ${port} for the API is taken by another program`);
    expect(running.api).not.toContain(String(port));
  });
});
