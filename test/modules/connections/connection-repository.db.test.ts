import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import { createAuthorizationRequestRepository } from '../../../src/modules/connections/oauth/authorization-request-repository.ts';
import {
  createConnectionRepository,
  type ConnectionRepository,
} from '../../../src/modules/connections/connection-repository.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../labs/postgres.ts';

let testDatabase: TestDatabase;
let database: Database;
let workspaceId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
  workspaceId = newId();
  await database.system('workspaces').insert({ id: workspaceId, name: 'test' });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function run<Result>(work: (connections: ConnectionRepository) => Promise<Result>): Promise<Result> {
  return database.inWorkspace(workspaceId, (trx) => work(createConnectionRepository(trx)));
}

function newConnection(values: Record<string, unknown> = {}) {
  return {
    id: newId(),
    name: `Name ${newId()}`,
    provider: 'slack',
    ownerId: null,
    auth: { type: 'none' },
    ...values,
  };
}

describe('a stored connection', () => {
  test('is read as it was written, with its sealed secrets', async () => {
    const secrets = { sealed: randomBytes(40), keyId: 'k1' };
    const rateLimit = { tokensPerMinute: 10, tokensPerRequest: 1 };
    const input = newConnection({ endpoint: 'https://host.example', secrets, rateLimit });
    const created = await run((connections) => connections.createConnection(input));
    const found = await run((connections) => connections.findConnection(input.id));
    expect(found).toEqual({ connection: created, workspaceId, sealed: secrets.sealed, isImported: false });
    expect(created).toMatchObject({
      endpoint: 'https://host.example',
      status: 'active',
      rateLimit,
      lastUsedAt: null,
    });
  });

  test.each(['no id', newId()])('is not found by %s', async (id) => {
    expect(await run((connections) => connections.findConnection(id))).toBeNull();
    expect(await run((connections) => connections.findConnectionForUpdate(id))).toBeNull();
  });

  test('keeps fields that an update does not name, and clears fields that it sets to null', async () => {
    const secrets = { sealed: randomBytes(40), keyId: 'k1' };
    const input = newConnection({ secrets, rateLimit: { tokensPerMinute: 10, tokensPerRequest: 1 } });
    const created = await run((connections) => connections.createConnection(input));
    const changed = await run((connections) => connections.updateConnection(input.id, { rateLimit: null }));
    expect(changed).toEqual({ ...created, rateLimit: null, updatedAt: changed.updatedAt });
    await run((connections) => connections.updateConnection(input.id, { secrets: null }));
    expect((await run((connections) => connections.findConnection(input.id)))?.sealed).toBeNull();
  });

  test('cannot take the name of another connection of its workspace, but that of another workspace', async () => {
    const input = newConnection({ name: 'Taken' });
    await run((connections) => connections.createConnection(input));
    const again = { ...input, id: newId() };
    await expect(run((connections) => connections.createConnection(again))).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const other = newConnection();
    await run((connections) => connections.createConnection(other));
    const rename = run((connections) => connections.updateConnection(other.id, { name: 'Taken' }));
    await expect(rename).rejects.toMatchObject({ code: 'CONFLICT' });
    const elsewhere = newId();
    await database.system('workspaces').insert({ id: elsewhere, name: 'other' });
    await database.inWorkspace(elsewhere, (trx) => createConnectionRepository(trx).createConnection(again));
  });
});

describe('a pending authorization', () => {
  async function store(expiresAt: Date): Promise<Buffer> {
    const connection = newConnection();
    const stateHash = randomBytes(32);
    await database.inWorkspace(workspaceId, async (trx) => {
      await createConnectionRepository(trx).createConnection(connection);
      const request = {
        stateHash,
        connectionId: connection.id,
        sealed: randomBytes(40),
        keyId: 'k1',
        expiresAt,
      };
      await createAuthorizationRequestRepository(trx).create(request);
    });
    return stateHash;
  }

  test('is found without its workspace, by one of several concurrent callers', async () => {
    const stateHash = await store(new Date(Date.now() + 60_000));
    const { take } = createAuthorizationRequestRepository(database.system);
    const found = (await Promise.all([take(stateHash), take(stateHash), take(stateHash)])).filter(
      (one) => one !== null,
    );
    expect(found).toMatchObject([{ workspaceId, stateHash }]);
  });

  test('is deleted after its time, when the next authorization begins', async () => {
    const over = await store(new Date(Date.now() - 1));
    await store(new Date(Date.now() + 60_000));
    const rows = await database.system('authorization_requests').where({ state_hash: over });
    expect(rows).toEqual([]);
  });

  test('is deleted with its connection', async () => {
    const stateHash = await store(new Date(Date.now() + 60_000));
    const row = database.system('authorization_requests').where({ state_hash: stateHash });
    const { connection_id: id } = await row.clone().first<{ connection_id: string }>();
    await run((connections) => connections.deleteConnection(id));
    expect(await row).toEqual([]);
  });
});
