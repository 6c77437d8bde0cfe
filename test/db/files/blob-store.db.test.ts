import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBlobRepository, createBlobStore } from '../../../src/db/files/blob-store.ts';
import { newId } from '../../../src/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);

test('a stored file is read back byte for byte', async () => {
  const { database, ownId, inOwn } = workspaces;
  const turnId = newId();
  // A part of a larger buffer, as readers of files give it.
  const part = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]).subarray(6, 12);
  const { id } = await createBlobStore(database).put({
    workspaceId: ownId,
    bytes: new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
    mediaType: 'image/png',
    name: 'chart.png',
    turnId,
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(await inOwn((trx) => createBlobRepository(trx).getBlob(id))).toEqual({
    id,
    name: 'chart.png',
    mediaType: 'image/png',
    bytes,
    sha256,
  });
});

test('a file is not found in another workspace', async () => {
  const { inOwn, inForeign } = workspaces;
  const { id } = await inOwn((trx) =>
    createBlobRepository(trx).createBlob({ bytes, mediaType: 'image/png' }),
  );
  await expect(inForeign((trx) => createBlobRepository(trx).getBlob(id))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test.each([
  ['Text/HTML; charset=utf-8', 'text/html; charset=utf-8'],
  ['image/svg+xml', 'image/svg+xml'],
  ['', 'application/octet-stream'],
  ['nonsense', 'application/octet-stream'],
  ['text/plain\r\nset-cookie: a=b', 'application/octet-stream'],
  ['image/png\r\n;a=b', 'application/octet-stream'],
  ['image/png\u2003;a=b', 'application/octet-stream'],
  ['text/plain; a="b\\"c"', 'application/octet-stream'],
])('the media type %j is stored as %j', async (given, kept) => {
  const { inOwn } = workspaces;
  const { id } = await inOwn((trx) => createBlobRepository(trx).createBlob({ bytes, mediaType: given }));
  expect(await inOwn((trx) => createBlobRepository(trx).getBlob(id))).toMatchObject({ mediaType: kept });
});

test('a name that Postgres would refuse, or that is too long, is shortened and cleaned', async () => {
  const { inOwn } = workspaces;
  const name = `\0\ud800${'x'.repeat(300)}`;
  const { id } = await inOwn((trx) =>
    createBlobRepository(trx).createBlob({ bytes, mediaType: 'a/b', name }),
  );
  const blob = await inOwn((trx) => createBlobRepository(trx).getBlob(id));
  expect(blob.name).toBe(`\ufffd\ufffd${'x'.repeat(198)}`);
});
