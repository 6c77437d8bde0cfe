import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKnowledge } from '../../../src/modules/knowledge/create-knowledge.ts';
import {
  createChunkRepository,
  findVectorSupport,
} from '../../../src/modules/knowledge/search/chunk-repository.ts';
import { createDocumentRepository } from '../../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import { knowledgeBaseInputSchema, type EmbedTexts } from '../../../src/domain/knowledge.ts';
import { newId } from '../../../src/platform/lib/ids.ts';
import { createBestList, multiply, toUnitVector } from '../../../src/modules/knowledge/search/vectors.ts';
import { toWordVector } from '../../servers/embedding-server.ts';
import { startPgvectorDatabase } from '../../labs/pgvector-database.ts';

let database: Awaited<ReturnType<typeof startPgvectorDatabase>>;
const [workspaceId, otherId] = [newId(), newId()];
const { signal } = new AbortController();
const embedTexts: EmbedTexts = (_model, texts) => Promise.resolve(texts.map(toWordVector));

beforeAll(async () => {
  database = await startPgvectorDatabase();
  for (const id of [workspaceId, otherId]) await database.system('workspaces').insert({ id, name: 'test' });
});
afterAll(() => database.close());

/** A knowledge base with one document of facts, processed by the steps that its workflow takes. */
async function createFacts(count: number): Promise<string> {
  const { ingestion } = createKnowledge({ database, embed: embedTexts });
  const text = Array.from({ length: count }, (_, index) =>
    `Fact ${index}: ${['cat', 'car', 'kitten', 'vehicle', 'tree'][index % 5] ?? ''} word${index * 7} `.repeat(
      4,
    ),
  ).join('\n\n');
  const chunking = { maxCharacters: 200, overlapCharacters: 0 };
  const input = knowledgeBaseInputSchema.parse({
    name: newId(),
    embeddingModel: 'compatible/words',
    chunking,
  });
  const { base, key } = await database.inWorkspace(workspaceId, async (trx) => {
    const created = await createKnowledgeBaseRepository(trx).createKnowledgeBase(input);
    const file = { name: 'Facts', mediaType: 'text/plain' as const, bytes: new TextEncoder().encode(text) };
    const { document } = await createDocumentRepository(trx).createDocument({
      ...file,
      knowledgeBaseId: created.id,
    });
    return { base: created, key: { workspaceId, documentId: document.id, generation: 1 } };
  });
  const reading = await ingestion.read(key, signal);
  if (!reading || reading === 'busy') throw new Error('the document should be read');
  const embeddingModel = 'compatible/words';
  await ingestion.embed({ ...key, embeddingModel, from: 0, to: reading.chunks }, signal);
  await ingestion.finish({ ...key, embeddingModel });
  return base.id;
}

test('the migration creates a column for pgvector when the database has the extension', async () => {
  expect(await findVectorSupport(database.system)).toBe(true);
});

test('pgvector ranks chunks as the program does with the stored bytes', async () => {
  const knowledgeBaseId = await createFacts(60);
  const scope = { knowledgeBaseId, embeddingModel: 'compatible/words' };
  const wanted = toUnitVector(toWordVector('a feline and word70'));
  await database.inWorkspace(workspaceId, async (trx) => {
    const chunks = createChunkRepository(trx, { hasVectors: true });
    const stored = await chunks.listEmbeddings(scope, {
      ...{ after: null, limit: 1000 },
      bytes: wanted.byteLength,
    });
    const best = createBestList<number>(10);
    for (const { position, embedding } of stored) best.add(position, multiply(wanted, embedding) ?? 0);
    const found = await chunks.searchByVector(scope, wanted, 10);
    expect(found.map(({ position }) => position)).toEqual(best.items());
    expect(await chunks.searchByVector(scope, toUnitVector([1, 2, 3]), 10)).toEqual([]);
  });
});

test('a search through pgvector finds chunks of the same meaning, and none of another workspace', async () => {
  const knowledgeBaseId = await createFacts(10);
  const { search } = createKnowledge({ database, embed: embedTexts });
  const { results, notice } = await search({
    workspaceId,
    knowledgeBaseId,
    query: 'automobile',
    limit: 4,
    signal,
  });
  expect(notice).toBeNull();
  expect(results.every(({ text }) => /car|vehicle/.test(text))).toBe(true);
  expect(results).toHaveLength(4);
  await expect(
    search({ workspaceId: otherId, knowledgeBaseId, query: 'automobile', signal }),
  ).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const scope = { knowledgeBaseId, embeddingModel: 'compatible/words' };
  const foreign = await database.inWorkspace(otherId, (trx) =>
    createChunkRepository(trx, { hasVectors: true }).searchByVector(
      scope,
      toUnitVector(toWordVector('car')),
      10,
    ),
  );
  expect(foreign).toEqual([]);
});
