import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { seedDevelopment, type DevelopmentSeed } from '../../src/main/dev/seed-development.ts';
import { createTestDatabase, type TestDatabase } from '../labs/postgres.ts';

let testDatabase: TestDatabase;
let seed: DevelopmentSeed;
let api: ChildProcess;
let url: string;
let log = '';

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  seed = await seedDevelopment({ databaseUrl: testDatabase.url, existingKey: null, model: 'demo' });
  api = fork(path.join(import.meta.dirname, '../../src/main/api.ts'), {
    silent: true,
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: testDatabase.url,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      HOLDFAST_TASK_QUEUE: 'api-test',
      HOLDFAST_DATA_DIR: path.join(import.meta.dirname, 'no-such-folder'),
    },
  });
  api.stdout?.on('data', (part: Buffer) => (log += part.toString()));
  api.stderr?.on('data', (part: Buffer) => (log += part.toString()));
  const [message] = (await Promise.race([once(api, 'message'), failOnExit()])) as [{ port: number }];
  url = `http://127.0.0.1:${message.port}`;
});
afterAll(async () => {
  api.kill('SIGKILL');
  await testDatabase.drop();
});

async function failOnExit(): Promise<never> {
  await once(api, 'exit');
  throw new Error(`the API ended: ${log}`);
}

function call(resource: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${seed.apiKey}`, 'content-type': 'application/json' };
  return fetch(url + resource, { ...init, headers });
}

test('the API accepts requests once it logs that it is ready', async () => {
  const response = await fetch(`${url}/health/ready`);
  expect([response.status, await response.json()]).toEqual([
    200,
    { success: true, data: { status: 'ready', worker: expect.any(Boolean) as boolean, stuckWorkflows: 0 } },
  ]);
});

test('without a worker a message is accepted, and its turn can be cancelled', async () => {
  const body = JSON.stringify({ message: 'what is 2 * 3' });
  const accepted = await call(`/api/conversations/${seed.conversationId}/turns`, { method: 'POST', body });
  expect(accepted.status).toBe(202);
  const { data } = (await accepted.json()) as { data: { turn: { id: string; status: string } } };
  expect(data.turn.status).toBe('running');
  const cancelled = await call(`/api/turns/${data.turn.id}/cancel`, { method: 'POST', body: '{}' });
  expect(cancelled.status).toBe(202);
  expect(log).not.toContain('not started');
  expect(log).not.toContain('was not told');
});

test('the API stops cleanly while a stream is open', async () => {
  const stream = await call(`/api/conversations/${seed.conversationId}/events`);
  expect(stream.status).toBe(200);
  const exited = once(api, 'exit');
  api.kill('SIGTERM');
  expect(await stream.text()).toMatch(/^retry: 1000\n\nid: 1\.0\nevent: turn\.started\n/);
  expect(await exited).toEqual([0, null]);
  expect(log).not.toContain(seed.apiKey.slice(-43));
});
