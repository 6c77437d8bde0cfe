import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createConnection } from '../../../../src/modules/connections/create-connection.ts';
import { startAuthorization } from '../../../../src/modules/connections/oauth/start-authorization.ts';
import { createConnections } from '../../../../src/main/create-connections.ts';
import { connectDatabase, type Database } from '../../../../src/platform/database/connect-database.ts';
import { countSealedByKey } from '../../../../src/modules/connections/secrets/sealed-row-repository.ts';
import { connectionInputSchema } from '../../../../src/domain/connection.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { rotateKeys } from '../../../../src/modules/connections/secrets/rotate-keys.ts';
import { addKeyToFile, ensureKeyFile } from '../../../../src/platform/secrets/key-file.ts';
import { createKeyRing } from '../../../../src/platform/secrets/key-ring.ts';
import { createTestDatabase, type TestDatabase } from '../../../labs/postgres.ts';
import { createTemporaryFolder } from '../../../labs/temporary-folder.ts';
import { chainAudit } from '../../../labs/chain-audit.ts';

let testDatabase: TestDatabase;
let database: Database;
let folder: string;
let file: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  folder = createTemporaryFolder();
  file = path.join(folder, 'keys');
  ensureKeyFile(file);
  await database.system('connections').delete();
});

function fileKeys() {
  return { keyRing: createKeyRing({ file }), addKey: () => void addKeyToFile(file) };
}

function openServices(keys?: string) {
  const keyRing = createKeyRing({ keys, file });
  const services = createConnections({
    config: { allowLoopback: { connections: true, tools: true } },
    database,
    keyRing,
    findProvider: () => Promise.resolve(undefined),
  });
  return { ...services, keyRing };
}

type Services = ReturnType<typeof openServices>;

async function createWorkspace(): Promise<string> {
  const id = newId();
  await database.system('workspaces').insert({ id, name: 'test' });
  return id;
}

async function createMany(services: Services, count: number, workspaceId: string): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `Connection ${newId()}`;
    const auth = { type: 'bearer', token: `planted-secret-${index}` };
    const input = connectionInputSchema.parse({ name, provider: 'openai', auth });
    ids.push((await createConnection(services, { workspaceId, apiKeyId: newId() }, input)).id);
  }
  return ids;
}

async function readAll(services: Services, workspaceId: string, ids: string[]): Promise<string[]> {
  const keys: string[] = [];
  for (const connectionId of ids) {
    keys.push((await services.connectionAccess.openForModel({ workspaceId, connectionId })).apiKey);
  }
  return keys;
}

const secretsOf = (count: number) => Array.from({ length: count }, (_, index) => `planted-secret-${index}`);

describe('a rotation of keys in a file', () => {
  test('seals the secrets of every workspace under a new key while others read and write', async () => {
    const services = openServices();
    const [one, other] = [await createWorkspace(), await createWorkspace()];
    const ids = await createMany(services, 25, one);
    await createMany(services, 5, other);
    const before = services.keyRing.currentKeyId();
    let isOver = false;
    const reading = (async () => {
      const reads: string[][] = [];
      while (!isOver) reads.push(await readAll(services, one, ids));
      return reads;
    })();
    const { keyId, resealed, unreadable, byKey } = await rotateKeys({
      ...fileKeys(),
      database,
      dryRun: false,
      batchSize: 4,
    });
    isOver = true;
    expect([resealed, unreadable]).toEqual([30, 0]);
    expect(keyId).not.toBe(before);
    expect([...byKey]).toEqual([[keyId, 30]]);
    for (const read of await reading) expect(read).toEqual(secretsOf(25));
    expect(services.keyRing.currentKeyId()).toBe(keyId);
    expect(await readAll(openServices(), one, ids)).toEqual(secretsOf(25));
  });

  test('writes an audit event in each workspace, without a secret', async () => {
    const workspaceId = await createWorkspace();
    await createMany(openServices(), 3, workspaceId);
    const { keyId } = await rotateKeys({ ...fileKeys(), database, dryRun: false, batchSize: 2 });
    await chainAudit(database.system);
    const events = await database
      .system('audit_events')
      .where({ workspace_id: workspaceId, type: 'keys.rotated' })
      .orderBy('seq')
      .pluck('payload');
    expect(events).toEqual([
      { keyId, table: 'connections', rows: 2 },
      { keyId, table: 'connections', rows: 1 },
    ]);
  });

  test('keeps changes that connections got meanwhile', async () => {
    const workspaceId = await createWorkspace();
    await createMany(openServices(), 1, workspaceId);
    const before = await database.system('connections').pluck('updated_at');
    await rotateKeys({ ...fileKeys(), database, dryRun: false });
    expect(await database.system('connections').pluck('updated_at')).toEqual(before);
  });

  test('can be repeated, and completes a rotation that was interrupted', async () => {
    const services = openServices();
    const workspaceId = await createWorkspace();
    const ids = await createMany(services, 4, workspaceId);
    // The state of a rotation that died after it had created its key.
    addKeyToFile(file);
    await createMany(services, 1, workspaceId);
    expect((await countSealedByKey(database.system)).size).toBe(2);
    const { keyId, resealed } = await rotateKeys({ ...fileKeys(), database, dryRun: false });
    expect(resealed).toBe(5);
    expect([...(await countSealedByKey(database.system))]).toEqual([[keyId, 5]]);
    const again = await rotateKeys({ ...fileKeys(), database, dryRun: false });
    expect([...again.byKey]).toEqual([[again.keyId, 5]]);
    expect(await readAll(services, workspaceId, ids)).toEqual(secretsOf(4));
  });

  test('runs alone when two start at the same time, and no key is lost', async () => {
    const workspaceId = await createWorkspace();
    const ids = await createMany(openServices(), 10, workspaceId);
    const rotate = () => rotateKeys({ ...fileKeys(), database, dryRun: false, batchSize: 1 });
    const outcomes = await Promise.allSettled([rotate(), rotate()]);
    const refusals = outcomes.filter(({ status }) => status === 'rejected');
    expect(refusals).toHaveLength(1);
    expect(refusals).toMatchObject([{ reason: { code: 'CONFLICT' } }]);
    expect(await readAll(openServices(), workspaceId, ids)).toEqual(secretsOf(10));
  });

  test('may take longer than a session may idle in a transaction', async () => {
    const idleInTransactionMs = 1_000;
    const impatient = connectDatabase({ url: testDatabase.url, idleInTransactionMs });
    onTestFinished(() => impatient.close());
    await createMany(openServices(), 2, await createWorkspace());
    let slept = false;
    const slow: Database = {
      ...impatient,
      inWorkspace: async (workspaceId, run) => {
        if (!slept) await sleep(1.5 * idleInTransactionMs);
        slept = true;
        return impatient.inWorkspace(workspaceId, run);
      },
    };
    const { resealed } = await rotateKeys({ ...fileKeys(), database: slow, dryRun: false });
    expect(resealed).toBe(2);
  });

  test('skips a damaged value and reports it', async () => {
    const workspaceId = await createWorkspace();
    const [id] = await createMany(openServices(), 3, workspaceId);
    const row = await database.system('connections').where({ id }).first<{ sealed: Buffer }>();
    row.sealed.writeUInt8(row.sealed.readUInt8(row.sealed.length - 1) ^ 1, row.sealed.length - 1);
    await database.system('connections').where({ id }).update({ sealed: row.sealed });
    const rotation = await rotateKeys({ ...fileKeys(), database, dryRun: false, batchSize: 1 });
    expect([rotation.resealed, rotation.unreadable]).toEqual([2, 1]);
  });

  test('changes neither file nor rows in a dry run, and counts the values', async () => {
    const workspaceId = await createWorkspace();
    await createMany(openServices(), 3, workspaceId);
    const before = readFileSync(file, 'utf8');
    const { keyId, resealed, byKey } = await rotateKeys({ ...fileKeys(), database, dryRun: true });
    expect(resealed).toBe(0);
    expect([...byKey]).toEqual([[keyId, 3]]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('also seals authorizations that wait for consent', async () => {
    const services = openServices();
    const workspaceId = await createWorkspace();
    const auth = {
      type: 'oauth2_authorization_code',
      clientId: 'client',
      authorizationUrl: 'https://auth.example/authorize',
      tokenUrl: 'https://auth.example/token',
    };
    const input = connectionInputSchema.parse({ name: 'Consent', provider: 'other', auth });
    const { id } = await createConnection(services, { workspaceId, apiKeyId: newId() }, input);
    const url = () => 'http://127.0.0.1:1';
    const dependencies = { ...services, publicUrl: url, clientMetadataUrl: url };
    await startAuthorization(dependencies, { workspaceId }, { connectionId: id });
    const { keyId, resealed } = await rotateKeys({ ...fileKeys(), database, dryRun: false });
    expect(resealed).toBe(2);
    expect(await database.system('authorization_requests').pluck('key_id')).toEqual([keyId]);
  });
});

describe('a rotation of keys in the environment', () => {
  test('seals all secrets under the first key', async () => {
    const [old, next] = ['old', 'next'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
    const workspaceId = await createWorkspace();
    const ids = await createMany(openServices(old), 3, workspaceId);
    const keys = `${next},${old}`;
    const rotation = await rotateKeys({ keyRing: createKeyRing({ keys }), database, dryRun: false });
    expect([rotation.keyId, rotation.resealed]).toEqual(['next', 3]);
    expect(await readAll(openServices(next), workspaceId, ids)).toEqual(secretsOf(3));
  });
});

test('a rotation fails when there is no key', async () => {
  const keyRing = createKeyRing({ file: path.join(folder, 'missing') });
  const rotating = rotateKeys({ keyRing, database, dryRun: false });
  await expect(rotating).rejects.toMatchObject({ code: 'SECRETS_UNAVAILABLE' });
});
