import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnection } from '../../src/modules/connections/create-connection.ts';
import { createConnections } from '../../src/main/create-connections.ts';
import { connectDatabase, type Database } from '../../src/platform/database/connect-database.ts';
import { keepRunning } from '../../src/main/dev/running-file.ts';
import { connectionInputSchema } from '../../src/domain/connection.ts';
import { newId } from '../../src/platform/lib/ids.ts';
import { ensureKeyFile } from '../../src/platform/secrets/key-file.ts';
import { createKeyRing } from '../../src/platform/secrets/key-ring.ts';
import { createTestDatabase, type TestDatabase } from '../labs/postgres.ts';
import { runCli } from '../labs/run-cli.ts';
import { createTemporaryFolder } from '../labs/temporary-folder.ts';

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

async function runOperator(words: string[], variables: Record<string, string>) {
  const environment = { HOLDFAST_DATA_DIR: '/no/such/folder', ...variables };
  const { code, stdout, stderr } = await runCli(words, { environment });
  return { code, output: stdout + stderr };
}

test('keys rotate works while npm start runs over the same folder', async () => {
  const dataDir = path.join(createTemporaryFolder(), 'data');
  mkdirSync(dataDir);
  const file = path.join(dataDir, 'encryption-keys');
  ensureKeyFile(file);
  const remove = keepRunning(dataDir, () => ({
    api: 'http://127.0.0.1:1',
    console: 'http://127.0.0.1:1',
    temporal: { address: '127.0.0.1:1', namespace: 'default' },
    postgres: { url: testDatabase.url },
    mcpConfig: '',
    encryptionKeysFile: file,
    pids: { dev: process.pid, api: process.pid },
    joined: [],
    startedAt: new Date().toISOString(),
  }));
  const keyRing = createKeyRing({ file });
  const services = createConnections({
    config: { allowLoopback: { connections: false, tools: false } },
    database,
    keyRing,
    findProvider: () => Promise.resolve(undefined),
  });
  const workspaceId = newId();
  await database.system('workspaces').insert({ id: workspaceId, name: 'test' });
  const auth = { type: 'bearer', token: 'planted-secret-1234' };
  const input = connectionInputSchema.parse({ name: 'Model', provider: 'openai', auth });
  const actor = { workspaceId, apiKeyId: newId() };
  const { id: connectionId } = await createConnection(services, actor, input);
  const before = keyRing.currentKeyId();

  const environment = { HOLDFAST_DATA_DIR: dataDir };
  const tried = await runOperator(['keys', 'rotate', '--dry-run'], environment);
  expect(tried).toMatchObject({
    code: 0,
    output: expect.stringContaining(`The current key is ${before}.`) as string,
  });
  const rotated = await runOperator(['keys', 'rotate'], environment);
  expect(rotated.code).toBe(0);
  expect(keyRing.currentKeyId()).not.toBe(before);
  expect(rotated.output).toContain(`1 secret was sealed again, under ${keyRing.currentKeyId()}.`);
  expect(tried.output + rotated.output).not.toContain('planted');
  expect(await services.connectionAccess.openForModel({ workspaceId, connectionId })).toMatchObject({
    apiKey: 'planted-secret-1234',
  });
  await services.close();
  remove();
});

test('keys rotate without a key prints in one sentence what to do', async () => {
  const { code, output } = await runOperator(['keys', 'rotate'], { DATABASE_URL: testDatabase.url });
  expect(code).toBe(1);
  expect(output).toMatch(/^There is no encryption key.*HOLDFAST_ENCRYPTION_KEYS.*\n$/);
});

test('a command without a database prints in one sentence what to do', async () => {
  const { code, output } = await runOperator(['keys', 'rotate'], {});
  expect(code).toBe(1);
  expect(output).toMatch(/^DATABASE_URL is not set\..*\n$/);
});

test.each([[['keys']], [['keys', 'forget']], [[]]])(
  '%j is not a command, and the error lists the commands',
  async (words) => {
    const { code, output } = await runOperator(words, {});
    expect(code).toBe(1);
    expect(output).toContain('holdfast keys rotate');
  },
);

test('an unknown flag is refused', async () => {
  const { code, output } = await runOperator(['keys', 'rotate', '--force'], {
    DATABASE_URL: testDatabase.url,
  });
  expect(code).toBe(1);
  expect(output).toContain('--force');
});
