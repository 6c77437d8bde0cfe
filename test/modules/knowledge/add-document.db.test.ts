import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAuditLog } from '../../../src/platform/outbox/audit-log.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { startKnowledgeScene } from '../../labs/knowledge-scene.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { startStreamingServer } from '../../servers/http-server.ts';
import { acceptUnread, answerVerdict, failingScans, readBody, type Scan } from '../../servers/scans.ts';

let scan: Scan;
const scanner = openForTests(() => startStreamingServer((request, response) => scan(request, response)));
const scene = openForTests(async () => {
  const opened = await startKnowledgeScene({
    HOLDFAST_FILE_SCANNER_URL: `${scanner.url}/scan`,
    HOLDFAST_FILE_SCANNER_TOKEN: 'token-of-the-scanner',
  });
  return { ...opened, close: opened.stop };
});

const clean = answerVerdict('{"clean": true}');
const name = 'für Ada.txt';
const text = 'Otters are mammals. 🦦 '.repeat(50_000).slice(0, 900_000);

/** Both ways in which a document arrives. */
const ways = {
  file: (baseId: string, content = text) => scene.upload(baseId, content, { name }),
  text: (baseId: string) =>
    scene.api.call('POST', `/api/knowledge-bases/${baseId}/documents`, { body: { name, text } }),
};

/** Counts rows of documents and of their bytes, and the documents that were given to Temporal. */
async function countStored() {
  const { system } = scene.api.database;
  const count = async (table: string) => Number((await system(table).count())[0]?.['count'] ?? 0);
  const rows = [await count('documents'), await count('files'), await count('file_pieces')];
  return { rows, ingested: scene.api.calls.ingested.length };
}

function listRefusals(subject: { knowledge_base_id: string }) {
  const { api } = scene;
  return api.database
    .inWorkspace(api.workspaceId, (trx) =>
      createAuditLog(trx).list(api.workspaceId, { type: 'file.refused', limit: 50 }),
    )
    .then((events) =>
      events.filter(({ payload }) => payload['knowledge_base_id'] === subject.knowledge_base_id),
    );
}

let baseId: string;
let before: Awaited<ReturnType<typeof countStored>>;
beforeEach(async () => {
  ({ id: baseId } = await scene.createBase());
  before = await countStored();
});

describe.each(['file', 'text'] as const)('a document that is sent as a %s', (way) => {
  test('is scanned whole before it is stored', async () => {
    let seen: unknown;
    scan = async (request, response) => {
      const body = await readBody(request);
      const { authorization, 'x-file-name': sentName } = request.headers;
      const isWhole = body.equals(Buffer.from(text));
      seen = { ...{ authorization, sentName, path: request.url, isWhole }, stored: await countStored() };
      response.end('{"clean": true}');
    };
    const { status, data } = await ways[way](baseId);
    expect([status, data.document.bytes]).toEqual([202, Buffer.byteLength(text)]);
    expect(seen).toEqual({
      ...{ authorization: 'Bearer token-of-the-scanner', sentName: 'f%C3%BCr%20Ada.txt', path: '/scan' },
      ...{ isWhole: true, stored: before },
    });
    expect(scene.api.calls.ingested.at(-1)).toMatchObject({ documentId: data.document.id });
  });

  test('leaves nothing but an audit event when it is refused', async () => {
    scan = answerVerdict('{"clean": false, "reason": "Eicar-Test-Signature"}');
    const { status, error } = await ways[way](baseId);
    const reason = 'Eicar-Test-Signature';
    const message = `The virus scan refused the file: ${reason}`;
    expect([status, error]).toEqual([422, { code: 'FILE_REFUSED', message, details: { reason } }]);
    expect(await countStored()).toEqual(before);
    const payload = { knowledge_base_id: baseId, name, reason: message };
    expect((await listRefusals(payload)).map((event) => event.payload)).toEqual([payload]);
  });

  test.each(failingScans)('is not accepted when the scanner %s', async (_failure, failing) => {
    scan = failing;
    const { status, error } = await ways[way](baseId);
    const message = 'The file could not be scanned for viruses, so it was not accepted. Try again shortly.';
    expect([status, error.code, error.message]).toEqual([503, 'SERVICE_UNAVAILABLE', message]);
    expect(await countStored()).toEqual(before);
    expect(await listRefusals({ knowledge_base_id: baseId })).toEqual([]);
  });
});

test('a scanner that refuses a document before it has read it ends the upload', async () => {
  scan = (_request, response) => Promise.resolve(response.end('{"clean": false}'));
  const { status, error } = await ways.file(baseId, 'a'.repeat(20_000_000));
  expect([status, error.message]).toEqual([422, 'The virus scan refused the file: no reason given']);
  expect(await countStored()).toEqual(before);
});

test('a large document is not accepted when the scanner accepts it unread', async () => {
  scan = acceptUnread;
  const { status, error } = await ways.file(baseId, 'a'.repeat(20_000_000));
  expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await countStored()).toEqual(before);
});

test('a scan ends when the client disconnects, and nothing is stored', async () => {
  const begun = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<undefined>();
  scan = async (request, response) => {
    await readBody(request);
    begun.resolve(undefined);
    await once(response, 'close');
    ended.resolve(undefined);
  };
  const client = new AbortController();
  const path = `/api/knowledge-bases/${baseId}/documents`;
  const sent = scene.api.call('POST', path, { body: { name, text }, signal: client.signal });
  await begun.promise;
  client.abort();
  await expect(sent).rejects.toThrow();
  await ended.promise;
  expect(await countStored()).toEqual(before);
});

test('a document that cannot be stored is not scanned', async () => {
  const scanned: string[] = [];
  scan = (request, response) => {
    scanned.push(request.headers['x-file-name'] as string);
    return clean(request, response);
  };
  const answers = [
    await scene.upload(baseId, 'x', { type: 'image/png', name: 'a.png' }),
    await ways.file(newId()),
    await ways.text(newId()),
  ];
  expect(answers.map(({ status, error }) => [status, error.code])).toEqual([
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [404, 'NOT_FOUND'],
    [404, 'NOT_FOUND'],
  ]);
  expect(scanned).toEqual([]);
});

test('a document that is processed again is not scanned again', async () => {
  scan = clean;
  const { data } = await ways.text(baseId);
  scan = answerVerdict('{"clean": false}');
  const path = `/api/knowledge-bases/${baseId}/documents/${data.document.id}/reprocess`;
  expect((await scene.api.call('POST', path)).status).toBe(202);
});
