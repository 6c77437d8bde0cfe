import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../../src/platform/database/connect-database.ts';
import { createRateLimiter } from '../../../src/platform/database/postgres-rate-limiter.ts';
import type { RateLimitGrant } from '../../../src/domain/rate-limiter.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createTemporaryFolder } from '../../labs/temporary-folder.ts';
import { createTestDatabase, type TestDatabase } from '../../labs/postgres.ts';

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

const ten = { tokensPerMinute: 10, tokensPerRequest: 1 };

function countGranted(grants: RateLimitGrant[]): number {
  return grants.filter(({ granted }) => granted).length;
}

test('concurrent requests together get no more than the budget', async () => {
  const limiter = createRateLimiter(database.system);
  const key = newId();
  const grants = await Promise.all(
    Array.from({ length: 25 }, () => limiter.take({ key, limit: ten, maxWaitMs: 0 })),
  );
  expect(countGranted(grants)).toBe(10);
  const refused = grants.find(({ granted }) => !granted) as { retryAfterMs: number };
  expect(refused.retryAfterMs).toBeGreaterThan(0);
  expect(refused.retryAfterMs).toBeLessThanOrEqual(60_000);
});

test('each key has its own budget, and a request may take more than one token', async () => {
  const limiter = createRateLimiter(database.system);
  const limit = { tokensPerMinute: 10, tokensPerRequest: 4 };
  for (const key of [newId(), newId()]) {
    const grants = [];
    for (let count = 0; count < 4; count += 1) grants.push(await limiter.take({ key, limit, maxWaitMs: 0 }));
    expect(countGranted(grants)).toBe(2);
  }
});

test('a request for more than a whole budget is refused without waiting', async () => {
  const limiter = createRateLimiter(database.system);
  const limit = { tokensPerMinute: 3, tokensPerRequest: 4 };
  expect(await limiter.take({ key: newId(), limit, maxWaitMs: 60_000 })).toEqual({
    granted: false,
    retryAfterMs: null,
  });
});

test('a request that may wait is granted by the next budget', async () => {
  const limiter = createRateLimiter(database.system, { windowSeconds: 1 });
  const request = { key: newId(), limit: { tokensPerMinute: 2, tokensPerRequest: 1 }, maxWaitMs: 30_000 };
  const grants = await Promise.all(Array.from({ length: 5 }, () => limiter.take(request)));
  expect(countGranted(grants)).toBe(5);
});

test('a waiting request ends when its signal aborts', async () => {
  const limiter = createRateLimiter(database.system);
  const request = { key: newId(), limit: { tokensPerMinute: 1, tokensPerRequest: 1 }, maxWaitMs: 3_600_000 };
  await limiter.take(request);
  const controller = new AbortController();
  const waiting = limiter.take({ ...request, signal: controller.signal });
  const reason = new Error('the turn stops');
  setTimeout(() => controller.abort(reason), 20);
  await expect(waiting).rejects.toBe(reason);
});

test('a limit that an operator raises applies at once', async () => {
  const limiter = createRateLimiter(database.system);
  const key = newId();
  const take = (tokensPerMinute: number) =>
    limiter.take({ key, limit: { tokensPerMinute, tokensPerRequest: 1 }, maxWaitMs: 0 });
  expect([(await take(1)).granted, (await take(1)).granted, (await take(20)).granted]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a failed read of a budget is a retryable error', async () => {
  const closed = connectDatabase({ url: testDatabase.url });
  const limiter = createRateLimiter(closed.system);
  await closed.close();
  await expect(limiter.take({ key: newId(), limit: ten, maxWaitMs: 0 })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryable: true,
  });
});

test('two processes share one budget', async () => {
  const program = path.join(createTemporaryFolder(), 'take.ts');
  const from = (file: string) =>
    JSON.stringify(path.join(import.meta.dirname, '../../../src/platform/database', file));
  await writeFile(
    program,
    `import { connectDatabase } from ${from('connect-database.ts')};
import { createRateLimiter } from ${from('postgres-rate-limiter.ts')};
const [, , url, key] = process.argv;
const database = connectDatabase({ url });
const limiter = createRateLimiter(database.system);
const limit = { tokensPerMinute: 50, tokensPerRequest: 1 };
const grants = await Promise.all(
  Array.from({ length: 40 }, () => limiter.take({ key, limit, maxWaitMs: 0 })));
process.send(grants.filter(({ granted }) => granted).length);
await database.close();
process.disconnect();`,
  );
  const key = newId();
  const counts = await Promise.all(
    [1, 2].map(async () => {
      const child = fork(program, [testDatabase.url, key], {
        execArgv: [],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      const [count] = (await once(child, 'message')) as [number];
      return count;
    }),
  );
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(50);
});
