import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveHealth } from '../../src/main/serve-health.ts';

const check = path.resolve('scripts/health.mjs');

const failing = { name: 'documents', failures: 3, since: '2026-01-01T00:00:00.000Z' };

async function open(isAlive: () => boolean): Promise<number> {
  const listFailingSweeps = () => [failing];
  const server = await serveHealth({ host: '127.0.0.1', port: 0, isAlive, listFailingSweeps });
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function runCheck(variables: Record<string, string>): Promise<unknown> {
  const child = spawn(process.execPath, [check], {
    env: { PORT: '1', HOLDFAST_HEALTH_PORT: '1', ...variables },
  });
  return (await once(child, 'exit'))[0];
}

test('a worker answers whether it polls for tasks, and which sweeps fail', async () => {
  const state = { alive: true };
  const port = await open(() => state.alive);
  const ask = () => fetch(`http://127.0.0.1:${port}/health/live`);
  const first = await ask();
  const data = { status: 'alive', failingSweeps: [failing] };
  expect([first.status, await first.json()]).toEqual([200, { success: true, data }]);
  state.alive = false;
  expect((await ask()).status).toBe(503);
});

test('other paths are not known', async () => {
  const port = await open(() => true);
  for (const path of ['/', '/health', '/health/ready', '/health/live/', '/metrics']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    expect([path, response.status, await response.json()]).toEqual([
      path,
      404,
      { success: false, error: { code: 'NOT_FOUND', message: 'A worker answers GET /health/live only.' } },
    ]);
  }
  expect((await fetch(`http://127.0.0.1:${port}/health/live?probe=1`)).status).toBe(200);
});

test('the check of the image succeeds when the API or the worker answers, and fails otherwise', async () => {
  const alive = String(await open(() => true));
  const dead = String(await open(() => false));
  expect(await runCheck({ PORT: alive })).toBe(0);
  expect(await runCheck({ HOLDFAST_HEALTH_PORT: alive })).toBe(0);
  expect(await runCheck({ PORT: dead, HOLDFAST_HEALTH_PORT: dead })).toBe(1);
  expect(await runCheck({})).toBe(1);
});
