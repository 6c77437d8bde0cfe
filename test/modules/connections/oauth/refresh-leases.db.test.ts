import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../../../src/platform/database/connect-database.ts';
import { createConnectionRepository } from '../../../../src/modules/connections/connection-repository.ts';
import {
  createRefreshLeases,
  type RefreshLeases,
} from '../../../../src/modules/connections/oauth/refresh-leases.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../labs/postgres.ts';

let testDatabase: TestDatabase;
let database: Database;
let workspaceId: string;
let connectionId: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = connectDatabase({ url: testDatabase.url });
  workspaceId = newId();
  await database.system('workspaces').insert({ id: workspaceId, name: 'test' });
  const connection = { id: newId(), name: 'Leased', provider: 'mcp', ownerId: null, auth: { type: 'none' } };
  connectionId = connection.id;
  await database.inWorkspace(workspaceId, (trx) =>
    createConnectionRepository(trx).createConnection(connection),
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function run<Result>(work: (leases: RefreshLeases) => Promise<Result>): Promise<Result> {
  return database.inWorkspace(workspaceId, (trx) => work(createRefreshLeases(trx)));
}

function take(holder: string, leaseMs = 60_000): Promise<boolean> {
  return run((leases) => leases.take({ connectionId, holder, leaseMs }));
}

test('one of several holders has the lease, until it ends it or its time is over', async () => {
  const [first, second] = [newId(), newId()];
  const taken = await Promise.all([take(first), take(second)]);
  expect(taken.toSorted()).toEqual([false, true]);
  const holder = taken[0] ? first : second;
  await run((leases) => leases.end({ connectionId, holder: newId() }));
  expect(await take(newId())).toBe(false);
  await run((leases) => leases.end({ connectionId, holder }));
  expect(await take(first, 1)).toBe(true);
  await database.system.raw('SELECT pg_sleep(0.01)');
  expect(await take(second)).toBe(true);
});

test('there is no lease of an unknown connection', async () => {
  const lease = { connectionId: newId(), holder: newId(), leaseMs: 60_000 };
  expect(await run((leases) => leases.take(lease))).toBe(false);
});
