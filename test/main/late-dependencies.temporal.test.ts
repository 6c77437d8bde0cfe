import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { eventually } from '../labs/eventually.ts';
import { createTestDatabase } from '../labs/postgres.ts';
import { startProgram } from '../labs/program.ts';
import { temporalAddress, uniqueTaskQueue } from '../labs/temporal.ts';
import { startTcpProxy } from '../servers/tcp-proxy.ts';

/** Longer than a program needs to notice that its dependencies are away. */
const awayMs = 4_000;

/** Starts a program while Postgres and Temporal are away, and lets them come back. */
async function startEarly(file: string) {
  const database = await createTestDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-early-'));
  const proxies = await Promise.all([
    startTcpProxy(inject('postgresUrl')),
    startTcpProxy(`tcp://${temporalAddress()}`),
  ]);
  const [postgres, temporal] = proxies;
  await Promise.all(proxies.map((proxy) => proxy.cut()));
  const databaseUrl = new URL(database.url);
  databaseUrl.port = String(postgres.port);
  const starting = startProgram(file, {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
    HOLDFAST_TASK_QUEUE: uniqueTaskQueue('early'),
    HOLDFAST_DATA_DIR: folder,
    PORT: '0',
  });
  await sleep(awayMs);
  await postgres.mend();
  await sleep(awayMs);
  await temporal.mend();
  const program = await starting;
  onTestFinished(async () => {
    await program.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  return program;
}

function countLines(log: string, text: string): number {
  return log.split('\n').filter((line) => line.includes(text)).length;
}

test('a worker waits for Postgres and Temporal, with one line for each change', async () => {
  const { log } = await startEarly('src/main/worker.ts');

  // The log comes through a pipe, and the message that ends the start through another one.
  await eventually(log, (text) => text.includes('the worker is ready'));
  for (const name of ['Postgres', 'Temporal']) {
    expect(countLines(log(), `"${name} cannot be reached"`)).toBe(1);
  }
}, 60_000);

test('an API waits for Postgres and serves while Temporal is away', async () => {
  const { log, port } = await startEarly('src/main/api.ts');
  const readStatus = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;

  await eventually(log, (text) => text.includes('the API is ready'));
  expect(countLines(log(), '"Postgres cannot be reached"')).toBe(1);
  expect(await eventually(readStatus, (status) => status === 200)).toBe(200);
}, 60_000);
