import type { Knex } from 'knex';
import { beforeEach, expect, test } from 'vitest';
import { createChunkRepository } from '../../../src/modules/knowledge/search/chunk-repository.ts';
import { createDocumentSweepRepository } from '../../../src/modules/knowledge/document-sweep-repository.ts';
import { createDocumentProcessingRepository } from '../../../src/modules/knowledge/document-processing-repository.ts';
import { createDocumentRepository } from '../../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import { knowledgeBaseInputSchema } from '../../../src/domain/knowledge.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { openForTests } from '../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
let knowledgeBaseId: string;
beforeEach(async () => {
  const input = knowledgeBaseInputSchema.parse({ name: newId() });
  const base = await workspaces.inOwn((trx) => createKnowledgeBaseRepository(trx).createKnowledgeBase(input));
  knowledgeBaseId = base.id;
});
/** The repositories of documents for requests and for the activities. */
const toDocuments = (trx: Knex) => ({
  ...createDocumentRepository(trx),
  ...createDocumentProcessingRepository(trx),
});

const inDocuments = <Result>(run: (documents: ReturnType<typeof toDocuments>) => Promise<Result>) =>
  workspaces.inOwn((trx) => run(toDocuments(trx)));

async function upload() {
  const bytes = new TextEncoder().encode('Grüße.');
  const { document, generation } = await inDocuments((documents) =>
    documents.createDocument({ knowledgeBaseId, name: 'a.txt', mediaType: 'text/plain', bytes }),
  );
  const key = { workspaceId: workspaces.ownId, documentId: document.id, generation };
  return { document, key, path: { knowledgeBaseId, documentId: document.id } };
}

const chunk = { text: 'Text.', headings: [], page: null };

async function store(key: { workspaceId: string; documentId: string; generation: number }, count: number) {
  await inDocuments((documents) => documents.startReading(key));
  await workspaces.inOwn((trx) =>
    createChunkRepository(trx, { hasVectors: false }).storeChunks(
      key,
      Array<typeof chunk>(count).fill(chunk),
      0,
    ),
  );
}

/** The generations of all chunks that are stored of a document. */
const listChunks = (documentId: string) =>
  workspaces.inOwn((trx) =>
    trx('chunks').where({ document_id: documentId }).orderBy('generation').pluck<number[]>('generation'),
  );

test('a new document is pending, and is read with the settings of its knowledge base', async () => {
  const { document, key } = await upload();
  expect(document).toMatchObject({
    knowledgeBaseId,
    name: 'a.txt',
    bytes: 8,
    status: 'queued',
    progress: { step: 'queued', chunks: 0, embeddedChunks: 0 },
    error: null,
    chunkCount: 0,
  });
  const source = await inDocuments((documents) => documents.startReading(key));
  expect(source).toMatchObject({
    mediaType: 'text/plain',
    chunking: { maxCharacters: 1600, overlapCharacters: 200 },
  });
  expect(source?.bytes.toString()).toBe('Grüße.');
});

test('the next attempt deletes the chunks of the attempt before it', async () => {
  const { key } = await upload();
  await store(key, 5);
  await store(key, 3);
  expect(await inDocuments((documents) => documents.finish(key, null))).toBe(3);
});

test('the chunks of a generation can be found until the next generation replaces them', async () => {
  const { key, path } = await upload();
  await store(key, 2);
  await inDocuments((documents) => documents.finish(key, null));
  const again = await inDocuments((documents) => documents.reprocessDocument(path));
  expect(again).toMatchObject({ generation: 2, document: { status: 'queued', chunkCount: 2 } });
  const next = { ...key, generation: 2 };
  await store(next, 4);
  const places = [0, 1, 2, 3].map((position) => ({ documentId: key.documentId, position }));
  const find = () =>
    workspaces.inOwn((trx) => createChunkRepository(trx, { hasVectors: false }).getChunks(places));
  expect(await find()).toHaveLength(2);
  await inDocuments((documents) => documents.finish(next, null));
  expect(await find()).toHaveLength(4);
});

test('an older generation can no longer change the document', async () => {
  const { key, path } = await upload();
  await inDocuments((documents) => documents.reprocessDocument(path));
  expect(await inDocuments((documents) => documents.lock(key))).toBeNull();
  expect(await inDocuments((documents) => documents.startReading(key))).toBeNull();
});

test('a failure is stored, and the earlier chunks can still be found', async () => {
  const { key, path } = await upload();
  await store(key, 2);
  await inDocuments((documents) => documents.finish(key, null));
  await inDocuments((documents) => documents.reprocessDocument(path));
  const next = { ...key, generation: 2 };
  await store(next, 1);
  await inDocuments((documents) => documents.fail(next, { code: 'DOCUMENT_UNREADABLE', message: 'No.' }));
  expect(await inDocuments((documents) => documents.getDocument(path))).toMatchObject({
    status: 'failed',
    error: { code: 'DOCUMENT_UNREADABLE', message: 'No.' },
    chunkCount: 2,
  });
});

test('a document that is ready stays ready when a late failure is reported', async () => {
  const { key, path } = await upload();
  await store(key, 2);
  await inDocuments((documents) => documents.finish(key, null));
  await inDocuments((documents) => documents.fail(key, { code: 'INTERNAL', message: 'Ended by force.' }));
  expect(await inDocuments((documents) => documents.getDocument(path))).toMatchObject({
    status: 'ready',
    error: null,
  });
  expect(await listChunks(key.documentId)).toEqual([1, 1]);
});

test('a document that is ready is not read again by the same generation', async () => {
  const { key, path } = await upload();
  await store(key, 1);
  await inDocuments((documents) => documents.finish(key, null));
  expect(await inDocuments((documents) => documents.startReading(key))).toBeNull();
  expect((await inDocuments((documents) => documents.getDocument(path))).status).toBe('ready');
});

test('the next generation deletes the chunks of a replaced generation', async () => {
  const { key, path } = await upload();
  await store(key, 1);
  await inDocuments((documents) => documents.finish(key, null));
  await inDocuments((documents) => documents.reprocessDocument(path));
  await store({ ...key, generation: 2 }, 2);
  await inDocuments((documents) => documents.reprocessDocument(path));
  await inDocuments((documents) => documents.startReading({ ...key, generation: 3 }));
  expect(await listChunks(key.documentId)).toEqual([1]);
});

test('deleting a document deletes its chunks and its file', async () => {
  const { key, path } = await upload();
  await store(key, 2);
  await inDocuments((documents) => documents.deleteDocument(path));
  const left = await workspaces.inOwn(async (trx) => [
    await trx('chunks').where({ document_id: key.documentId }).pluck<number[]>('position'),
    await trx('documents').where({ id: key.documentId }).pluck<string[]>('id'),
  ]);
  expect(left).toEqual([[], []]);
  await expect(inDocuments((documents) => documents.deleteDocument(path))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await inDocuments((documents) => documents.lock(key))).toBeNull();
});

test('a document is not found in another workspace or another knowledge base', async () => {
  const { path } = await upload();
  const elsewhere = { ...path, knowledgeBaseId: newId() };
  await expect(inDocuments((documents) => documents.getDocument(elsewhere))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await workspaces.inForeign(async (trx) => {
    const documents = createDocumentRepository(trx);
    await expect(documents.getDocument(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(documents.deleteDocument(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(documents.reprocessDocument(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(documents.listDocuments({ knowledgeBaseId, limit: 10 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const input = { knowledgeBaseId, name: 'b', mediaType: 'text/plain' as const, bytes: Buffer.from('b') };
    await expect(documents.createDocument(input)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('the sweeper takes documents that have not changed for a while, each once in that time', async () => {
  const { key } = await upload();
  const sweep = createDocumentSweepRepository(workspaces.database.system);
  expect(await sweep.unstarted.take(100)).toEqual([]);
  await workspaces.inOwn((trx) =>
    trx('documents')
      .where({ id: key.documentId })
      .update({ updated_at: trx.raw(`now() - interval '2 minutes'`) }),
  );
  expect(await sweep.unfinished.take(100)).toEqual([]);
  expect(await sweep.unstarted.take(100)).toEqual([{ ...key, name: 'a.txt' }]);
  expect(await sweep.unstarted.take(100)).toEqual([]);
  await sweep.markStarted(key);
  await workspaces.database.system('documents').update({ swept_at: null });
  expect(await sweep.unstarted.take(100)).toEqual([]);
  expect(await sweep.unfinished.take(100)).toEqual([{ ...key, name: 'a.txt' }]);
});
