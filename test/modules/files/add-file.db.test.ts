import { request, type ClientRequest } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../../labs/eventually.ts';
import { createBytes, startFileScene } from '../../labs/file-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';

const scene = openForTests(startFileScene);
const boundary = 'xxboundary';

/** Begins an upload whose bytes are sent by the caller. */
function beginUpload(idempotencyKey: string): { sent: ClientRequest; answered: Promise<number> } {
  const { api } = scene;
  const headers = {
    authorization: `Bearer ${api.key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'idempotency-key': idempotencyKey,
  };
  const sent = request(`${api.url}/api/files`, { method: 'POST', headers });
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
  });
  sent.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file.bin"\r\n\r\n`);
  return { sent, answered };
}

test.each([
  ['a large file', 1_700_000],
  ['a small file', 1000],
])(
  'an upload that is repeated with %s while its first attempt hangs has only its own bytes',
  async (_what, length) => {
    const { upload, download, countRows } = scene;
    const before = await countRows();
    const idempotencyKey = `hangs-${length}`;
    const first = beginUpload(idempotencyKey);
    first.sent.write(createBytes(2_500_000));
    await eventually(countRows, ({ pieces }) => pieces >= before.pieces + 3);
    const bytes = createBytes(length).reverse();
    const second = await upload(bytes, { idempotencyKey });
    expect(second.status).toBe(201);
    first.sent.write(createBytes(2_000_000));
    first.sent.end(`\r\n--${boundary}--\r\n`);
    expect(await first.answered).toBe(409);
    expect((await download(second.data.file.id)).bytes.equals(bytes)).toBe(true);
    expect((await countRows()).files).toBe(before.files + 1);
  },
);

test('slow uploads of one workspace do not keep out those of another', async () => {
  const { api, upload } = scene;
  const other = await api.createWorkspace();
  const slow = Array.from({ length: 30 }, (_, index) => beginUpload(`slow-${index}`));
  const refused: number[] = [];
  for (const { answered } of slow)
    answered.then(
      (status) => refused.push(status),
      () => undefined,
    );
  await eventually(
    () => Promise.resolve(refused),
    ({ length }) => length === 6,
  );
  expect(refused).toEqual(Array.from({ length: 6 }, () => 503));
  expect((await upload('own')).status).toBe(503);
  expect((await upload('of another', { key: other.key })).status).toBe(201);
  for (const { sent, answered } of slow) {
    sent.destroy();
    await answered.catch(() => undefined);
  }
  await eventually(
    () => upload('own'),
    ({ status }) => status === 201,
  );
});

test('a repeated upload is recognized by a long name too', async () => {
  const { upload } = scene;
  const options = { name: `${'a long name '.repeat(22)}.txt`, idempotencyKey: 'long-name' };
  const [first, again] = [await upload('text', options), await upload('text', options)];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.data.file).toEqual(first.data.file);
});

test('a download whose file is deleted meanwhile breaks off', async () => {
  const { api, upload } = scene;
  const { file } = (await upload(createBytes(20_000_000))).data;
  const headers = { authorization: `Bearer ${api.key}` };
  const response = await fetch(`${api.url}/api/files/${file.id}/content`, { headers });
  expect((await api.call('DELETE', `/api/files/${file.id}`)).status).toBe(200);
  await expect(response.arrayBuffer()).rejects.toThrow();
});
