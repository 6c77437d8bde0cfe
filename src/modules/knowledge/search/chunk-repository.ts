import type { Knex } from 'knex';
import type { ChunkRange, DocumentGeneration } from '../document-contract.ts';
import type { DocumentChunk, KnowledgeResult } from '../../../domain/knowledge.ts';
import { toStorableJson } from '../../../domain/storable.ts';

/** Names a chunk by its document and its position. */
interface ChunkKey {
  documentId: string;
  position: number;
}

interface PlacedChunk {
  position: number;
  text: string;
  headings: string[];
}

/** The embedding of a chunk: little-endian float32 of length 1. */
interface ChunkEmbedding {
  position: number;
  embedding: Buffer;
}

interface SearchScope {
  knowledgeBaseId: string;
  /** Only embeddings of this model can be compared with the vector. */
  embeddingModel: string;
}

interface EmbeddingPage {
  after: ChunkKey | null;
  limit: number;
  bytes: number;
}

interface ChunkRow {
  document_id: string;
  document_name: string;
  position: number;
  page: number | null;
  headings: string[];
  text: string;
}

export type ChunkRepository = ReturnType<typeof createChunkRepository>;

/** Chunks of documents of one workspace. `hasVectors` says whether the database stores embeddings as pgvector too. */
export function createChunkRepository(trx: Knex, { hasVectors }: { hasVectors: boolean }) {
  return {
    /** Stores chunks of one generation, beginning at a position. */
    storeChunks: (key: DocumentGeneration, chunks: DocumentChunk[], position: number): Promise<void> =>
      storeChunks(
        trx,
        key,
        toStorableJson(chunks.map((chunk, index) => ({ ...chunk, position: position + index }))),
      ),

    /** Lists the chunks of a range that have no embedding yet. */
    listUnembedded: (
      { documentId, generation }: DocumentGeneration,
      { from, to }: ChunkRange,
    ): Promise<PlacedChunk[]> =>
      trx('chunks')
        .where({ document_id: documentId, generation, embedding: null })
        .where('position', '>=', from)
        .where('position', '<', to)
        .orderBy('position')
        .select<PlacedChunk[]>('position', 'text', 'headings'),

    storeEmbeddings: (key: DocumentGeneration, embeddings: ChunkEmbedding[]): Promise<void> =>
      storeEmbeddings(trx, key, { embeddings, hasVectors }),

    /** Ranks chunks by the words of the query, best first. */
    searchByWords: async (knowledgeBaseId: string, query: string, limit: number): Promise<ChunkKey[]> => {
      const { rows } = await trx.raw<{ rows: ChunkKey[] }>(
        `SELECT document_id AS "documentId", "position" FROM search_chunks(?, ?, ?)`,
        [knowledgeBaseId, query, limit],
      );
      return rows;
    },

    /** Ranks chunks by pgvector with an exact comparison, nearest first. The vector has length 1. */
    searchByVector: (scope: SearchScope, vector: Float32Array, limit: number): Promise<ChunkKey[]> =>
      searchByVector(trx, scope, { vector, limit }),

    /** Lists a page of the embeddings of a knowledge base that have this length in bytes, in a fixed order. */
    listEmbeddings: (
      scope: SearchScope,
      page: EmbeddingPage,
    ): Promise<(ChunkKey & { embedding: Buffer })[]> => listEmbeddings(trx, scope, page),

    /** Reads chunks in the order of the keys, without those that were deleted meanwhile. */
    getChunks: (keys: ChunkKey[]): Promise<Omit<KnowledgeResult, 'score'>[]> => getChunks(trx, keys),
  };
}

/** Whether this database stores vectors with pgvector. */
export async function findVectorSupport(db: Knex): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM pg_attribute WHERE attrelid = 'chunks'::regclass AND attname = 'embedding_vector' AND NOT attisdropped`,
  );
  return rows.length > 0;
}

/** Words of headings get weight C, which ranks above that of the text, D. */
async function storeChunks(trx: Knex, key: DocumentGeneration, chunks: string): Promise<void> {
  await trx.raw(
    `INSERT INTO chunks (document_id, generation, position, knowledge_base_id, page, headings, text, search)
     SELECT d.id, :generation, c.position, d.knowledge_base_id, c.page, c.headings, c.text,
       setweight(to_tsvector(CAST(b.language AS regconfig),
         (SELECT coalesce(string_agg(title, ' '), '') FROM jsonb_array_elements_text(c.headings) AS title)), 'C')
       || to_tsvector(CAST(b.language AS regconfig), c.text)
     FROM jsonb_to_recordset(CAST(:chunks AS jsonb)) AS c(position integer, page integer, headings jsonb, text text),
       documents d JOIN knowledge_bases b ON b.id = d.knowledge_base_id WHERE d.id = :documentId`,
    { ...key, chunks },
  );
}

async function storeEmbeddings(
  trx: Knex,
  { documentId, generation }: DocumentGeneration,
  { embeddings, hasVectors }: { embeddings: ChunkEmbedding[]; hasVectors: boolean },
): Promise<void> {
  const vectors = hasVectors ? embeddings.map(({ embedding }) => toVectorText(embedding)) : [];
  await trx.raw(
    `UPDATE chunks SET embedding = e.embedding ${hasVectors ? ', embedding_vector = CAST(e.vector AS vector)' : ''}
     FROM unnest(CAST(:positions AS integer[]), CAST(:bytes AS bytea[]), CAST(:vectors AS text[]))
       AS e(position, embedding, vector)
     WHERE document_id = :documentId AND generation = :generation AND chunks.position = e.position`,
    {
      documentId,
      generation,
      positions: embeddings.map(({ position }) => position),
      bytes: embeddings.map(({ embedding }) => embedding),
      vectors,
    },
  );
}

/** Converts little-endian float32 to the text form of pgvector. */
function toVectorText(embedding: Buffer): string {
  return `[${Array.from({ length: embedding.length / 4 }, (_, index) => embedding.readFloatLE(index * 4)).join(',')}]`;
}

const searchedChunks = `
  FROM chunks c JOIN documents d ON d.id = c.document_id AND d.ready_generation = c.generation
  WHERE c.knowledge_base_id = :knowledgeBaseId AND d.ready_embedding_model = :embeddingModel`;

/**
 * Compares all embeddings without an index: an index of pgvector is approximate, and filters by knowledge base last.
 */
async function searchByVector(
  trx: Knex,
  scope: SearchScope,
  { vector, limit }: { vector: Float32Array; limit: number },
): Promise<ChunkKey[]> {
  const { rows } = await trx.raw<{ rows: ChunkKey[] }>(
    `SELECT c.document_id AS "documentId", c.position ${searchedChunks}
       AND vector_dims(c.embedding_vector) = :dimensions
     ORDER BY c.embedding_vector <=> CAST(:vector AS vector), c.document_id, c.position LIMIT :limit`,
    { ...scope, dimensions: vector.length, vector: `[${vector.join(',')}]`, limit },
  );
  return rows;
}

async function listEmbeddings(
  trx: Knex,
  scope: SearchScope,
  { after, ...page }: EmbeddingPage,
): Promise<(ChunkKey & { embedding: Buffer })[]> {
  const { rows } = await trx.raw<{ rows: (ChunkKey & { embedding: Buffer })[] }>(
    `SELECT c.document_id AS "documentId", c.position, c.embedding ${searchedChunks} AND octet_length(c.embedding) = :bytes
       ${after ? 'AND (c.document_id, c.position) > (CAST(:documentId AS uuid), :position)' : ''}
     ORDER BY c.document_id, c.position LIMIT :limit`,
    { ...scope, ...after, ...page },
  );
  return rows;
}

async function getChunks(trx: Knex, keys: ChunkKey[]): Promise<Omit<KnowledgeResult, 'score'>[]> {
  const { rows } = await trx.raw<{ rows: ChunkRow[] }>(
    `SELECT c.document_id, d.name AS document_name, c.position, c.page, c.headings, c.text
     FROM unnest(CAST(? AS uuid[]), CAST(? AS integer[])) WITH ORDINALITY AS k(document_id, position, rank)
     JOIN documents d ON d.id = k.document_id
     JOIN chunks c ON c.document_id = d.id AND c.generation = d.ready_generation AND c.position = k.position
     ORDER BY k.rank`,
    [keys.map(({ documentId }) => documentId), keys.map(({ position }) => position)],
  );
  return rows.map((row) => ({
    text: row.text,
    document: { id: row.document_id, name: row.document_name },
    position: row.position,
    page: row.page,
    headings: row.headings,
  }));
}
