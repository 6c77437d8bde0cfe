import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { eventually } from '../labs/eventually.ts';
import { createTestDatabase } from '../labs/postgres.ts';
import { startProgram } from '../labs/program.ts';
import { temporalAddress, uniqueTaskQueue } from '../labs/temporal.ts';
import { startTcpProxy } from '../servers/tcp-proxy.ts';

function outageMessage(name: string): string {
  return `"${name} cannot be reached"`;
}

/**
 * Starts a program while Postgres and Temporal are away. Each comes back when the program has said that it is away; Temporal
 * at once for a program that does not wait for it.
 */
async function startEarly(file: string, { waitsForTemporal }: { waitsForTemporal: boolean }) {
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
  let output = '';
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    DATABASE_URL: databaseUrl.href,
    TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
    HOLDFAST_TASK_QUEUE: uniqueTaskQueue('early'),
    HOLDFAST_DATA_DIR: folder,
    PORT: '0',
  };
  const starting = startProgram(file, environment, (log) => {
    output = log;
  });
  const said = (name: string) =>
    eventually(
      () => output,
      (log) => log.includes(outageMessage(name)),
    );
  await said('Postgres');
  await postgres.mend();
  if (waitsForTemporal) await said('Temporal');
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
  const { log } = await startEarly('src/main/worker.ts', { waitsForTemporal: true });

  // The log comes through a pipe, and the message that ends the start through another one.
  await eventually(log, (text) => text.includes('the worker is ready'));
  for (const name of ['Postgres', 'Temporal']) {
    expect(countLines(log(), outageMessage(name))).toBe(1);
  }
}, 60_000);

test('an API waits for Postgres and serves while Temporal is away', async () => {
  const { log, port } = await startEarly('src/main/api.ts', { waitsForTemporal: false });
  const readStatus = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status;

  await eventually(log, (text) => text.includes('the API is ready'));
  expect(countLines(log(), outageMessage('Postgres'))).toBe(1);
  expect(await eventually(readStatus, (status) => status === 200)).toBe(200);
}, 60_000);
