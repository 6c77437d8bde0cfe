import { beforeEach, expect, test } from 'vitest';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { createBytes, startFileScene } from '../../labs/file-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startStreamingServer } from '../../servers/http-server.ts';
import { acceptUnread, answerVerdict, failingScans, readBody, type Scan } from '../../servers/scans.ts';

let scan: Scan;
const scanner = openForTests(() => startStreamingServer((request, response) => scan(request, response)));
const scene = openForTests(() =>
  startFileScene({
    HOLDFAST_FILE_SCANNER_URL: `${scanner.url}/scan`,
    HOLDFAST_FILE_SCANNER_TOKEN: 'token-of-the-scanner',
  }),
);

let before: Awaited<ReturnType<typeof scene.countRows>>;
beforeEach(async () => {
  before = await scene.countRows();
});

test.each([1000, 3_000_000])(
  'a file of %i bytes is scanned whole, and read by nobody before',
  async (length) => {
    const { api, upload, download } = scene;
    const bytes = createBytes(length);
    let seen: unknown;
    scan = async (request, response) => {
      const body = await readBody(request);
      const ids = await api.database.system('files').where({ is_whole: false }).pluck<string[]>('id');
      const found = await Promise.all(ids.map((id) => download(id)));
      const { authorization, 'x-file-name': name } = request.headers;
      seen = {
        ...{ authorization, name, path: request.url, isWhole: body.equals(bytes) },
        statuses: found.map(({ status }) => status),
        listed: (await api.call('GET', '/api/files')).data.files.filter(({ size }) => size === length),
      };
      response.end('{"clean": true}');
    };
    const { status, data } = await upload(bytes, { name: 'für Ada.bin' });
    expect([status, data.file.size]).toEqual([201, length]);
    expect(seen).toEqual({
      ...{ authorization: 'Bearer token-of-the-scanner', name: 'f%C3%BCr%20Ada.bin', path: '/scan' },
      ...{ isWhole: true, statuses: length > 1000 ? [404] : [], listed: [] },
    });
  },
);

test('a refused file leaves nothing but an audit event', async () => {
  const { api, upload, countRows } = scene;
  scan = answerVerdict('{"clean": false, "reason": "Eicar-Test-Signature"}');
  for (const length of [1000, 2_000_000]) {
    const { status, error } = await upload(createBytes(length), { name: 'a.exe' });
    expect([status, error]).toEqual([
      422,
      {
        code: 'FILE_REFUSED',
        message: 'The virus scan refused the file: Eicar-Test-Signature',
        details: { reason: 'Eicar-Test-Signature' },
      },
    ]);
  }
  expect(await countRows()).toEqual(before);
  const events = await api.database.inWorkspace(api.workspaceId, (trx) =>
    createAuditLog(trx).list(api.workspaceId, { type: 'file.refused', limit: 10 }),
  );
  expect(events).toMatchObject(
    [1, 2].map(() => ({
      payload: { name: 'a.exe', reason: 'The virus scan refused the file: Eicar-Test-Signature' },
    })),
  );
});

test('a scanner that refuses before it has read the file ends the upload', async () => {
  scan = (_request, response) => Promise.resolve(response.end('{"clean": false}'));
  const { status, error } = await scene.upload(createBytes(40_000_000));
  expect([status, error.message]).toEqual([422, 'The virus scan refused the file: no reason given']);
  expect(await scene.countRows()).toEqual(before);
});

test.each<[string, Scan]>([
  ...failingScans,
  ['accepts a file unread', (_request, response) => Promise.resolve(response.end('{"clean": true}'))],
])('a file is not accepted when its scanner %s', async (_failure, failing) => {
  scan = failing;
  for (const length of [1_000_000, 2_000_000]) {
    const { status, error } = await scene.upload(createBytes(length));
    expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  }
  expect(await scene.countRows()).toEqual(before);
});

test('parts of tool results are scanned before they are stored', async () => {
  const { api } = scene;
  const { resultFiles } = api.services;
  const put = (length: number, signal?: AbortSignal) =>
    resultFiles.put({
      ...{ workspaceId: api.workspaceId, bytes: createBytes(length), mediaType: 'audio/mpeg', name: 'a.mp3' },
      ...(signal && { signal }),
    });
  for (const length of [1000, 600_000]) {
    const seen: number[] = [];
    scan = async (request, response) => {
      seen.push((await readBody(request)).byteLength);
      response.end('{"clean": true}');
    };
    await put(length);
    expect(seen).toEqual([length]);
    const stored = await scene.countRows();
    scan = answerVerdict('{"clean": false, "reason": "Eicar"}');
    await expect(put(length)).rejects.toMatchObject({ code: 'FILE_REFUSED' });
    scan = answerVerdict('down', 500);
    await expect(put(length)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const late = new AbortController();
    scan = (request) => readBody(request).then(() => late.abort());
    await expect(put(length, late.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const ended = AbortSignal.abort();
    await expect(put(length, ended)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await scene.countRows()).toEqual(stored);
  }
  const refusals = await api.database.inWorkspace(api.workspaceId, (trx) =>
    createAuditLog(trx).list(api.workspaceId, { type: 'file.refused', limit: 50 }),
  );
  expect(refusals.filter(({ payload }) => payload['name'] === 'a.mp3')).toHaveLength(2);
});

test('a large part of a tool result is not stored when the scanner accepts it unread', async () => {
  const { workspaceId, services } = scene.api;
  scan = acceptUnread;
  const part = { workspaceId, bytes: createBytes(20_000_000), mediaType: 'audio/mpeg', name: 'a.mp3' };
  await expect(services.resultFiles.put(part)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await scene.countRows()).toEqual(before);
});
