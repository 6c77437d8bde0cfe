import { expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../src/db/workspaces/api-key-repository.ts';
import { newId } from '../../../src/lib/ids.ts';
import { createOpenStreams } from '../../../src/turns/follow/open-streams.ts';
import { eventually } from '../../labs/eventually.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);

async function createKey(expiresAt?: string): Promise<string> {
  const id = newId();
  const key = { id, name: 'test', secretHash: Buffer.alloc(32), scopes: [], expiresAt };
  await createApiKeyRepository(workspaces.database.system).createApiKey({
    ...key,
    workspaceId: workspaces.ownId,
  });
  return id;
}

const createStreams = (mostPerKey = 10) =>
  createOpenStreams({ database: workspaces.database, mostPerKey, checkMs: 10 });

test('a key has so many streams, and can open another one when one ends', async () => {
  const streams = createStreams(2);
  const [key, other] = [await createKey(), await createKey()];
  const leaving = new AbortController();
  streams.open(key, leaving.signal);
  const staying = streams.open(key, new AbortController().signal);
  expect(() => streams.open(key, new AbortController().signal)).toThrow('has 2 open streams');
  expect(streams.open(other, new AbortController().signal).aborted).toBe(false);
  leaving.abort();
  expect(streams.open(key, new AbortController().signal).aborted).toBe(false);
  expect(staying.aborted).toBe(false);
});

test('the streams of a key end when it is revoked, expires or is deleted, and no others', async () => {
  const streams = createStreams();
  const soon = new Date(Date.now() + 300).toISOString();
  const keys = { valid: await createKey(), revoked: await createKey(), expiring: await createKey(soon) };
  const open = (key: string) => streams.open(key, new AbortController().signal);
  const signals = [open(keys.revoked), open(keys.revoked), open(keys.expiring), open(newId())];
  const valid = open(keys.valid);
  await createApiKeyRepository(workspaces.database.system).revokeApiKey(keys.revoked);

  await eventually(
    () => signals.map(({ aborted }) => aborted),
    (aborted) => !aborted.includes(false),
  );
  expect(valid.aborted).toBe(false);
});

test('a stream of a reader that has left is not counted', () => {
  const streams = createStreams(1);
  expect(streams.open('key', AbortSignal.abort()).aborted).toBe(true);
  expect(streams.open('key', new AbortController().signal).aborted).toBe(false);
});

test('streams stay open while the database cannot be asked', async () => {
  let asked = 0;
  const broken = Object.assign(() => {
    asked += 1;
    throw new Error('away');
  }) as never;
  const streams = createOpenStreams({ database: { system: broken }, mostPerKey: 1, checkMs: 5 });
  const leaving = new AbortController();
  const signal = streams.open(newId(), leaving.signal);
  await eventually(
    () => asked,
    (count) => count > 1,
  );
  expect(signal.aborted).toBe(false);
  leaving.abort();
});
