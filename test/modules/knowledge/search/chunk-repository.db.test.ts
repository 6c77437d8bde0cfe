import { describe, expect, test } from 'vitest';
import {
  createChunkRepository,
  findVectorSupport,
} from '../../../../src/modules/knowledge/search/chunk-repository.ts';
import { createDocumentProcessingRepository } from '../../../../src/modules/knowledge/document-processing-repository.ts';
import { createDocumentRepository } from '../../../../src/modules/knowledge/document-repository.ts';
import { createKnowledgeBaseRepository } from '../../../../src/modules/knowledge/bases/knowledge-base-repository.ts';
import { knowledgeBaseInputSchema, type DocumentChunk } from '../../../../src/domain/knowledge.ts';
import { newId } from '../../../../src/platform/lib/ids.ts';
import { toUnitVector, toVectorBytes } from '../../../../src/modules/knowledge/search/vectors.ts';
import { openForTests } from '../../../labs/open-for-tests.ts';
import { openTwoWorkspaces } from '../../../labs/two-workspaces.ts';

const workspaces = openForTests(openTwoWorkspaces);
const inChunks = <Result>(run: (chunks: ReturnType<typeof createChunkRepository>) => Promise<Result>) =>
  workspaces.inOwn((trx) => run(createChunkRepository(trx, { hasVectors: false })));

function chunkOf(text: string, headings: string[] = [], page: number | null = null): DocumentChunk {
  return { text, headings, page };
}

/** A knowledge base with one document that is ready. */
async function createReady(
  chunks: DocumentChunk[],
  { language = 'english', model = null as string | null } = {},
) {
  return workspaces.inOwn(async (trx) => {
    const input = knowledgeBaseInputSchema.parse({ name: newId(), language });
    const base = await createKnowledgeBaseRepository(trx).createKnowledgeBase(input);
    const documents = createDocumentRepository(trx);
    const file = { name: 'Guide', mediaType: 'text/plain' as const, bytes: Buffer.from('x') };
    const { document } = await documents.createDocument({ ...file, knowledgeBaseId: base.id });
    const key = { workspaceId: workspaces.ownId, documentId: document.id, generation: 1 };
    await createChunkRepository(trx, { hasVectors: false }).storeChunks(key, chunks, 0);
    await createDocumentProcessingRepository(trx).finish(key, model);
    return { baseId: base.id, key };
  });
}

async function search(baseId: string, query: string): Promise<number[]> {
  const found = await inChunks((chunks) => chunks.searchByWords(baseId, query, 10));
  return found.map(({ position }) => position);
}

describe('search by words', () => {
  test('finds any of the words in any of their forms, rare words first', async () => {
    const { baseId } = await createReady([
      chunkOf('The machine runs. The machine is big. The machine is old.'),
      chunkOf('Warranties of the machine last two years.'),
      chunkOf('The machine is cleaned daily.'),
      chunkOf('Nothing of interest.'),
    ]);
    expect((await search(baseId, 'How long is the warranty of my machine?'))[0]).toBe(1);
    expect((await search(baseId, 'machines')).sort()).toEqual([0, 1, 2]);
    expect(await search(baseId, 'elephant')).toEqual([]);
    expect(await search(baseId, 'the of and')).toEqual([]);
  });

  test('includes the words of headings', async () => {
    const { baseId } = await createReady([
      chunkOf('It takes two days.'),
      chunkOf('It takes six days.', ['Shipping']),
    ]);
    expect(await search(baseId, 'shipping time')).toEqual([1]);
  });

  test('uses the language of the knowledge base', async () => {
    const text = 'Die Häuser sind alt.';
    const german = await createReady([chunkOf(text)], { language: 'german' });
    const simple = await createReady([chunkOf(text)], { language: 'simple' });
    expect(await search(german.baseId, 'Haus')).toEqual([0]);
    expect(await search(simple.baseId, 'Haus')).toEqual([]);
    expect(await search(simple.baseId, 'häuser')).toEqual([0]);
  });

  test.each([
    `it's`,
    `back\\slash`,
    `'; DROP TABLE chunks; --`,
    `a & b | !c <-> (d)`,
    `:*`,
    `"quoted`,
    `\\`,
    `%_`,
  ])('treats %s as ordinary words', async (query) => {
    const { baseId } = await createReady([chunkOf(`A zebra ${query} stands.`)]);
    await expect(search(baseId, query)).resolves.toBeInstanceOf(Array);
    expect(await search(baseId, `zebra ${query}`)).toEqual([0]);
  });

  test('finds nothing of another workspace, of another knowledge base, or of documents that are not ready', async () => {
    const { baseId, key } = await createReady([chunkOf('A secret word.')]);
    const other = await createReady([chunkOf('Nothing here.')]);
    const foreign = await workspaces.inForeign((trx) =>
      createChunkRepository(trx, { hasVectors: false }).searchByWords(baseId, 'secret', 10),
    );
    expect(foreign).toEqual([]);
    expect(await search(other.baseId, 'secret')).toEqual([]);
    await inChunks((chunks) =>
      chunks.storeChunks({ ...key, generation: 2 }, [chunkOf('A secret draft.')], 7),
    );
    expect(await search(baseId, 'secret')).toEqual([0]);
  });
});

test('only the roles of the program can call the function that searches all chunks', async () => {
  const { rows } = await workspaces.database.system.raw<{ rows: { acl: string }[] }>(
    `SELECT proacl::text AS acl FROM pg_proc WHERE proname = 'search_chunks'`,
  );
  expect(rows[0]?.acl).toMatch(/holdfast_app=X/);
  // A grant to everybody names nobody.
  expect(rows[0]?.acl).not.toMatch(/[{,]=X/);
});

describe('embeddings', () => {
  test('are stored once, and read page by page in a fixed order', async () => {
    const texts = Array.from({ length: 5 }, (_, index) => chunkOf(`Text ${index}.`));
    const { baseId, key } = await createReady(texts, { model: 'compatible/words' });
    expect(await inChunks((chunks) => chunks.listUnembedded(key, { from: 1, to: 4 }))).toMatchObject([
      { position: 1, text: 'Text 1.', headings: [] },
      { position: 2 },
      { position: 3 },
    ]);
    const embeddings = [0, 1, 2, 3, 4].map((position) => ({
      position,
      embedding: toVectorBytes(toUnitVector([position + 1, 1])),
    }));
    await inChunks((chunks) => chunks.storeEmbeddings(key, embeddings));
    expect(await inChunks((chunks) => chunks.listUnembedded(key, { from: 0, to: 5 }))).toEqual([]);
    const scope = { knowledgeBaseId: baseId, embeddingModel: 'compatible/words' };
    const first = await inChunks((chunks) =>
      chunks.listEmbeddings(scope, { after: null, limit: 3, bytes: 8 }),
    );
    const rest = await inChunks((chunks) =>
      chunks.listEmbeddings(scope, { after: first[2] ?? null, limit: 3, bytes: 8 }),
    );
    expect([...first, ...rest].map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
    expect(rest[1]?.embedding).toEqual(embeddings[4]?.embedding);
    const other = { ...scope, embeddingModel: 'compatible/other' };
    expect(
      await inChunks((chunks) => chunks.listEmbeddings(other, { after: null, limit: 3, bytes: 8 })),
    ).toEqual([]);
  });

  test('are ranked by the program when the database has no pgvector', async () => {
    expect(await findVectorSupport(workspaces.database.system)).toBe(false);
  });
});

test('chunks are returned in the requested order, with document, page and headings', async () => {
  const { key } = await createReady([chunkOf('One.'), chunkOf('Two.', ['A', 'B'], 4)]);
  const { documentId } = key;
  const places = [1, 0, 9].map((position) => ({ documentId, position }));
  expect(await inChunks((chunks) => chunks.getChunks(places))).toEqual([
    { text: 'Two.', document: { id: documentId, name: 'Guide' }, position: 1, page: 4, headings: ['A', 'B'] },
    { text: 'One.', document: { id: documentId, name: 'Guide' }, position: 0, page: null, headings: [] },
  ]);
});

test('text that Postgres would refuse is stored with replacements', async () => {
  const { key } = await createReady([chunkOf('a\u0000b \ud800')]);
  const [found] = await inChunks((chunks) => chunks.getChunks([{ documentId: key.documentId, position: 0 }]));
  expect(found?.text).toBe('a\ufffdb \ufffd');
});
