import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createResultFileStore } from '../../../src/modules/files/create-result-file-store.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createPdf } from '../../fixtures/documents.ts';
import { eventually } from '../../labs/eventually.ts';
import { createBytes, createPng, startFileScene } from '../../labs/file-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';

const scene = openForTests(() =>
  startFileScene({ HOLDFAST_MAX_FILE_MEGABYTES: '3', HOLDFAST_MAX_FILE_PAGES: '3' }),
);

test.each([
  ['a small one', 1000, 'row'],
  ['one of many pieces', 2_500_001, 'pieces'],
])('a file, %s, is read back byte for byte', async (_size, length, place) => {
  const { api, upload, download } = scene;
  const bytes = createBytes(length);
  const { status, data } = await upload(bytes, { name: 'Zahlen für Ada.bin' });
  expect(status).toBe(201);
  expect(data.file).toEqual({
    id: data.file.id,
    name: 'Zahlen für Ada.bin',
    mediaType: 'application/octet-stream',
    size: length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...{ pages: null, width: null, height: null },
    createdAt: data.file.createdAt,
  });
  const facts = await api.call('GET', `/api/files/${data.file.id}`);
  expect(facts.data.file).toEqual(data.file);
  const read = await download(data.file.id);
  expect(read.bytes.equals(bytes)).toBe(true);
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-length': String(length),
    'content-disposition': "attachment; filename*=UTF-8''Zahlen%20f%C3%BCr%20Ada.bin",
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  const whole = await api.services.fileStore.read({ workspaceId: api.workspaceId, id: data.file.id });
  expect(bytes.equals(whole.bytes)).toBe(true);
  expect(await api.database.system('files').where({ id: data.file.id }).pluck('place')).toEqual([place]);
});

test('the facts about images and PDFs are found by their content', async () => {
  const { upload } = scene;
  const image = await upload(createPng(640, 480), { name: 'note.txt', type: 'text/plain' });
  expect(image.data.file).toMatchObject({ mediaType: 'image/png', width: 640, height: 480, pages: null });
  const pdf = await createPdf(['One.', 'Two.']);
  for (const padding of [0, 400_000]) {
    const { data } = await upload(Buffer.concat([pdf, Buffer.alloc(padding, ' ')]), { type: 'image/png' });
    expect(data.file).toMatchObject({ mediaType: 'application/pdf', pages: 2, width: null });
  }
  const broken = await upload('%PDF-1.7 and nothing else', { name: 'a.pdf' });
  expect(broken.data.file).toMatchObject({ mediaType: 'application/pdf', pages: null });
});

test('a file that exceeds a limit is refused, and leaves nothing', async () => {
  const { upload, countRows } = scene;
  const before = await countRows();
  const pages = Buffer.concat([await createPdf(['1', '2', '3', '4']), Buffer.alloc(300_000, ' ')]);
  const refusals = [
    await upload(createBytes(3 * 1024 * 1024 + 1)),
    await upload(createPng(20_000, 20_000)),
    await upload(pages),
    await upload(createPng(0, 0)),
    await upload(''),
    await upload('x', { field: 'other' }),
  ];
  expect(refusals.map(({ status, error }) => [status, error.code, error.message])).toEqual([
    [413, 'PAYLOAD_TOO_LARGE', 'The file is larger than the 3 MiB that are accepted.'],
    [
      413,
      'PAYLOAD_TOO_LARGE',
      'The image has 20000 × 20000 pixels, more than the 100 million that are accepted.',
    ],
    [413, 'PAYLOAD_TOO_LARGE', 'The PDF has 4 pages, more than the 3 that are accepted.'],
    [
      422,
      'DOCUMENT_UNREADABLE',
      'Expected an image of type image/png, found one whose width and height cannot be read.',
    ],
    [400, 'INVALID_INPUT', 'file: expected content, found none'],
    [400, 'INVALID_INPUT', 'file: expected a file, found one in "other" only'],
  ]);
  expect(await countRows()).toEqual(before);
});

test('a body that is no form with one file is refused', async () => {
  const { api, countRows } = scene;
  const before = await countRows();
  const json = await api.call('POST', '/api/files', { body: { name: 'a' } });
  expect([json.status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  const none = await api.call('POST', '/api/files');
  expect([none.status, none.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  const form = new FormData();
  form.append('file', new Blob([createBytes(600_000)]), 'a.bin');
  form.append('file', new Blob(['second']), 'b.bin');
  const headers = { authorization: `Bearer ${api.key}` };
  const two = await fetch(`${api.url}/api/files`, { method: 'POST', headers, body: form });
  expect(two.status).toBe(400);
  expect(await two.json()).toMatchObject({
    error: {
      message: 'file: expected one file, found more than one; send each file in a request of its own',
    },
  });
  expect(await countRows()).toEqual(before);
});

test('an upload whose client disconnects leaves nothing', async () => {
  const { api, countRows } = scene;
  const before = await countRows();
  const boundary = 'xxboundary';
  const headers = {
    authorization: `Bearer ${api.key}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
  };
  const sent = request(`${api.url}/api/files`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`);
  sent.write(createBytes(2_000_000));
  await eventually(countRows, ({ pieces }) => pieces > before.pieces);
  const [unfinished] = await api.database.system('files').where({ is_whole: false }).pluck<string[]>('id');
  expect((await api.call('GET', `/api/files/${unfinished}`)).status).toBe(404);
  expect((await api.call('DELETE', `/api/files/${unfinished}`)).status).toBe(404);
  sent.destroy();
  await eventually(countRows, ({ files, pieces }) => files === before.files && pieces === before.pieces);
});

test('a repeated upload with the same key finds the file, and another file with that key is refused', async () => {
  const { upload } = scene;
  for (const length of [10, 700_000]) {
    const idempotencyKey = `key ${length}`.replace(' ', '-');
    const bytes = createBytes(length);
    const first = await upload(bytes, { idempotencyKey });
    const again = await upload(bytes, { idempotencyKey });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.data.file).toEqual(first.data.file);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    const other = await upload(createBytes(length + 1), { idempotencyKey });
    expect([other.status, other.error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  }
});

test('uploads with the same key at the same moment store one file', async () => {
  const { upload } = scene;
  const answers = await Promise.all(
    [1, 2, 3].map(() => upload('the same text', { idempotencyKey: 'at-once' })),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ data }) => data.file.id)).size).toBe(1);
});

test('a list has uploads only, and a deleted file is gone with its bytes', async () => {
  const { api, upload } = scene;
  const place = await api.createWorkspace();
  const options = { key: place.key };
  const first = (await upload(createBytes(600_000), options)).data.file;
  const second = (await upload('two', options)).data.file;
  const resultFiles = createResultFileStore(api);
  const part = await resultFiles.put({
    workspaceId: place.workspaceId,
    bytes: createBytes(300_000),
    mediaType: 'a/b',
  });
  const page = await api.call('GET', '/api/files?limit=1', options);
  expect([page.data.files, page.data.nextCursor]).toEqual([[second], second.id]);
  const next = await api.call('GET', `/api/files?limit=1&cursor=${second.id}`, options);
  expect([next.data.files, next.data.nextCursor]).toEqual([[first], null]);

  expect((await api.call('DELETE', `/api/files/${first.id}`)).status).toBe(404);
  const refused = await api.call('DELETE', `/api/files/${part.id}`, options);
  expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT']);
  expect((await api.call('DELETE', `/api/files/${first.id}`, options)).status).toBe(200);
  for (const path of [`/api/files/${first.id}`, `/api/files/${first.id}/content`, `/api/blobs/${first.id}`])
    expect((await api.call('GET', path, options)).status).toBe(404);
  const pieces = await api.database.system('file_pieces').where({ file_id: first.id }).pluck('position');
  expect(pieces).toEqual([]);
  const events = await api.database
    .system('audit_pending')
    .where({ subject_id: first.id })
    .pluck<string[]>('type');
  const chained = await api.database
    .system('audit_events')
    .where({ subject_id: first.id })
    .pluck<string[]>('type');
  expect([...events, ...chained].sort()).toEqual(['file.created', 'file.deleted']);
});

test('a large part of a tool result is read back byte for byte', async () => {
  const { api } = scene;
  const resultFiles = createResultFileStore(api);
  const bytes = createBytes(1_200_000);
  const { id } = await resultFiles.put({
    workspaceId: api.workspaceId,
    bytes,
    mediaType: 'audio/mpeg',
    name: 'a.mp3',
  });
  const read = await resultFiles.get({ workspaceId: api.workspaceId, id });
  expect([read.name, read.mediaType, bytes.equals(read.bytes)]).toEqual(['a.mp3', 'audio/mpeg', true]);
});

test('a file is not used in another workspace, and its use needs a scope', async () => {
  const { api, upload } = scene;
  const { file } = (await upload('mine')).data;
  const other = await api.createWorkspace();
  const reader = await api.createKey(api.workspaceId, ['conversations:read']);
  expect((await upload('x', { key: reader })).status).toBe(403);
  expect((await api.call('DELETE', `/api/files/${file.id}`, { key: reader })).status).toBe(403);
  const use = api.database.inWorkspace(other.workspaceId, (trx) =>
    trx('file_uses').insert({ file_id: file.id, turn_id: newId() }),
  );
  await expect(use).rejects.toThrow(/foreign key/);
});
