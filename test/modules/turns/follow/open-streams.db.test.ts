import { expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../../src/modules/workspaces/keys/api-key-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { createOpenStreams } from '../../../../src/modules/turns/follow/open-streams.ts';
import { eventually } from '../../../labs/eventually.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../../labs/two-workspaces.ts';

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

const createStreams = ({ mostPerKey = 10, mostPerWorkspace = 10 } = {}) =>
  createOpenStreams({ database: workspaces.database, mostPerKey, mostPerWorkspace, checkMs: 10 });

const toOwner = (apiKeyId: string, workspaceId = 'own') => ({ workspaceId, apiKeyId });

test('a key has so many streams, and can open another one when one ends', async () => {
  const streams = createStreams({ mostPerKey: 2 });
  const [key, other] = [await createKey(), await createKey()];
  const leaving = new AbortController();
  streams.open(toOwner(key), leaving.signal);
  const staying = streams.open(toOwner(key), new AbortController().signal);
  expect(() => streams.open(toOwner(key), new AbortController().signal)).toThrow('has 2 open streams');
  expect(streams.open(toOwner(other), new AbortController().signal).aborted).toBe(false);
  leaving.abort();
  expect(streams.open(toOwner(key), new AbortController().signal).aborted).toBe(false);
  expect(staying.aborted).toBe(false);
});

test('a workspace has so many streams whatever their keys are, and others have their own', () => {
  const streams = createStreams({ mostPerWorkspace: 2 });
  const leaving = new AbortController();
  streams.open(toOwner('one'), leaving.signal);
  streams.open(toOwner('two'), new AbortController().signal);
  const open = (workspaceId?: string) =>
    streams.open(toOwner('three', workspaceId), new AbortController().signal);
  expect(() => open()).toThrow('This workspace has 2 open streams');
  expect(open('other').aborted).toBe(false);
  leaving.abort();
  expect(open().aborted).toBe(false);
});

test('the streams of a key end when it is revoked, expires or is deleted, and no others', async () => {
  const streams = createStreams();
  const soon = new Date(Date.now() + 300).toISOString();
  const keys = { valid: await createKey(), revoked: await createKey(), expiring: await createKey(soon) };
  const open = (key: string) => streams.open(toOwner(key), new AbortController().signal);
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
  const streams = createStreams({ mostPerKey: 1 });
  expect(streams.open(toOwner('key'), AbortSignal.abort()).aborted).toBe(true);
  expect(streams.open(toOwner('key'), new AbortController().signal).aborted).toBe(false);
});

test('streams stay open while the database cannot be asked', async () => {
  let asked = 0;
  const broken = () => {
    asked += 1;
    return Promise.reject(new Error('away'));
  };
  const streams = createOpenStreams({
    database: { lookUp: broken },
    mostPerKey: 1,
    mostPerWorkspace: 1,
    checkMs: 5,
  });
  const leaving = new AbortController();
  const signal = streams.open(toOwner(newId()), leaving.signal);
  await eventually(
    () => asked,
    (count) => count > 1,
  );
  expect(signal.aborted).toBe(false);
  leaving.abort();
});
