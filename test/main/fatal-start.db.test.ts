import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../labs/postgres.ts';
import { runCli, runSpawned } from '../labs/run-cli.ts';
import { temporalAddress } from '../labs/temporal.ts';

const toEnvironment = (variables: Record<string, string>) => ({
  HOLDFAST_DATA_DIR: '/no/such/folder',
  TEMPORAL_ADDRESS: temporalAddress(),
  ...variables,
});

/** Runs a program that cannot start. */
function start(program: string, variables: Record<string, string>) {
  return runSpawned([program], { environment: toEnvironment(variables) });
}

function migrate(variables: Record<string, string>) {
  return runCli(['migrate'], { environment: toEnvironment(variables) });
}

/** The lines of the log, which are JSON. */
function readLog(stdout: string) {
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: number; err?: { stack: string } });
}

function withPassword(password: string): string {
  const url = new URL(inject('postgresUrl'));
  url.password = password;
  return url.href;
}

// One error for each program: both describe every error in the same way.
test('a start of holdfast api names the wrong setting in one line, and its stack is in the log once', async () => {
  const { code, stdout, stderr } = await start('api', { PORT: 'many' });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Wrong settings in the environment\. PORT: .*\n$/);
  expect(readLog(stdout).filter(({ level, err }) => level === 60 && err?.stack)).toHaveLength(1);
});

test('a start of holdfast worker says that Postgres is missing, and its stack is in the log once', async () => {
  const { code, stdout, stderr } = await start('worker', {});
  expect(code).toBe(1);
  expect(stderr).toMatch(/^DATABASE_URL is not set\. Give the address of a Postgres, .*\n$/);
  expect(readLog(stdout).filter(({ level, err }) => level === 60 && err?.stack)).toHaveLength(1);
});

test('a port of the API that is taken is named', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { code, stdout, stderr } = await start('api', { DATABASE_URL: database.url, PORT: String(port) });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      `Expected port ${port} of 127.0.0.1 to be free, found that another program listens there. ` +
      'End it, or set PORT, or for the health checks of a worker HOLDFAST_HEALTH_PORT.\n',
  });
  expect(readLog(stdout).at(-1)).toMatchObject({ level: 60, err: { code: 'EADDRINUSE' } });
});

describe('holdfast migrate', () => {
  test('says that nothing answers at the address, without a stack', async () => {
    const { code, stdout, stderr } = await migrate({
      DATABASE_URL: 'postgres://me:secret@127.0.0.1:9/db',
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Expected Postgres at the address in DATABASE_URL, found none that answers: .*ECONNREFUSED.*\n$/,
    );
    expect(stderr).not.toContain('secret');
  });

  test('says which database is missing', async () => {
    const url = new URL(inject('postgresUrl'));
    url.pathname = '/missing';
    const { stderr } = await migrate({ DATABASE_URL: url.href });
    expect(stderr).toMatch(
      /^Postgres answers, but has no such database: database "missing" does not exist\. .*\n$/,
    );
  });

  test('shows the stack when it is asked for', async () => {
    const { stderr } = await migrate({
      DATABASE_URL: withPassword('x').replace(/:\d+\//, ':9/'),
      HOLDFAST_LOG_LEVEL: 'debug',
    });
    expect(stderr).toMatch(/\n +at /);
  });
});
