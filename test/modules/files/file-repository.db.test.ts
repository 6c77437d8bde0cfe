import { expect, test } from 'vitest';
import { createFileRepository } from '../../../src/modules/files/file-repository.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const bytes = Buffer.from([0, 1, 2, 253, 254, 255]);

test('a file is not found in another workspace', async () => {
  const { inOwn, inForeign } = workspaces;
  const { id } = await inOwn((trx) =>
    createFileRepository(trx).createFile({ bytes, mediaType: 'image/png' }),
  );
  await expect(inForeign((trx) => createFileRepository(trx).getFile(id))).rejects.toMatchObject({
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
  const { id } = await inOwn((trx) => createFileRepository(trx).createFile({ bytes, mediaType: given }));
  expect(await inOwn((trx) => createFileRepository(trx).getFile(id))).toMatchObject({
    facts: { mediaType: kept },
  });
});

test('a name that Postgres would refuse, or that is too long, is shortened and cleaned', async () => {
  const { inOwn } = workspaces;
  const name = `\0\ud800${'x'.repeat(300)}`;
  const { id } = await inOwn((trx) =>
    createFileRepository(trx).createFile({ bytes, mediaType: 'a/b', name }),
  );
  const { facts } = await inOwn((trx) => createFileRepository(trx).getFile(id));
  expect(facts.name).toBe(`\ufffd\ufffd${'x'.repeat(198)}`);
});
