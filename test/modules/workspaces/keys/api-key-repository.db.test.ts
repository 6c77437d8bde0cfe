import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createApiKeyRepository } from '../../../../src/modules/workspaces/keys/api-key-repository.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);

function createKey() {
  const key = { id: newId(), name: 'service', secretHash: randomBytes(32), scopes: ['agents:read'] as const };
  return workspaces.inOwn((trx) => createApiKeyRepository(trx).createApiKey(key));
}

test('a key belongs to the workspace in which it was created, and the system role finds it', async () => {
  const { id } = await createKey();
  const found = await createApiKeyRepository(workspaces.database.system).findApiKey(id);
  expect(found).toMatchObject({ id, workspaceId: workspaces.ownId, scopes: ['agents:read'] });
  expect(found?.secretHash).toHaveLength(32);
});

test('a key can be found and revoked by its own workspace only', async () => {
  const { id } = await createKey();
  expect(await workspaces.inForeign((trx) => createApiKeyRepository(trx).findApiKey(id))).toBeNull();
  expect(await workspaces.inForeign((trx) => createApiKeyRepository(trx).revokeApiKey(id))).toBeNull();
  const revoked = await workspaces.inOwn((trx) => createApiKeyRepository(trx).revokeApiKey(id));
  expect(revoked?.apiKey.revokedAt).not.toBeNull();
});

test('keys are listed newest first, page by page', async () => {
  const made = [await createKey(), await createKey(), await createKey()].map(({ id }) => id).reverse();
  const first = await workspaces.inOwn((trx) => createApiKeyRepository(trx).listApiKeys({ limit: 2 }));
  const cursor = first.nextCursor ?? '';
  const second = await workspaces.inOwn((trx) =>
    createApiKeyRepository(trx).listApiKeys({ limit: 1, cursor }),
  );
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
});

test('a key cannot be stored in another workspace', async () => {
  const key = {
    id: newId(),
    name: 'x',
    secretHash: randomBytes(32),
    scopes: [],
    workspaceId: workspaces.ownId,
  };
  const put = workspaces.inForeign((trx) => createApiKeyRepository(trx).createApiKey(key));
  await expect(put).rejects.toThrow(/row-level security/);
});
