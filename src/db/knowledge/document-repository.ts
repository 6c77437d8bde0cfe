import type { Knex } from 'knex';
import type { DocumentGeneration } from '../../../workflows/contract/document-steps.ts';
import { HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import type {
  Chunking,
  DocumentMediaType,
  DocumentProgress,
  DocumentStatus,
  KnowledgeDocument,
} from '../../domain/knowledge.ts';
import { newId } from '../../lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../page.ts';
import { createBlobRepository } from '../files/blob-store.ts';
import { knowledgeBaseNotFound } from './knowledge-base-repository.ts';

interface DocumentRow {
  id: string;
  knowledge_base_id: string;
  name: string;
  media_type: string;
  bytes: number;
  status: DocumentStatus;
  generation: number;
  ready_generation: number | null;
  progress: DocumentProgress;
  error: ErrorInfo | null;
  pages: number | null;
  chunk_count: number;
  created_at: Date;
  updated_at: Date;
}

/** A document that is uploaded. */
export interface NewDocument {
  knowledgeBaseId: string;
  name: string;
  mediaType: DocumentMediaType;
  bytes: Uint8Array;
}

/** A document, and which processing of it is the newest. */
export interface StoredDocument {
  document: KnowledgeDocument;
  generation: number;
}

/** What a document is read by. */
export interface DocumentSource {
  name: string;
  mediaType: DocumentMediaType;
  bytes: Uint8Array;
  chunking: Chunking;
}

/** What a knowledge base is embedded with, and whose key pays. */
export interface EmbeddingChoice {
  model: string | null;
  connectionId: string | null;
}

export type DocumentRepository = ReturnType<typeof createDocumentRepository>;

interface DocumentKey {
  knowledgeBaseId: string;
  documentId: string;
}

const queued: DocumentProgress = { step: 'queued', chunks: 0, embeddedChunks: 0 };

/** Documents of the knowledge bases of one workspace. */
export function createDocumentRepository(trx: Knex) {
  return {
    /** @throws HoldfastError `NOT_FOUND` for a knowledge base that is not there */
    createDocument: (input: NewDocument): Promise<StoredDocument> => createDocument(trx, input),

    /** Newest first. @throws HoldfastError `NOT_FOUND` for a knowledge base that is not there */
    listDocuments: async (
      page: PageRequest & { knowledgeBaseId: string },
    ): Promise<Page<KnowledgeDocument>> => {
      await checkKnowledgeBase(trx, page.knowledgeBaseId);
      const query = trx<DocumentRow>('documents')
        .where({ knowledge_base_id: page.knowledgeBaseId })
        .orderBy('id', 'desc');
      if (page.cursor) void query.where('id', '<', page.cursor);
      return toPage(await query.limit(page.limit + 1), page.limit, toDocument);
    },

    /** @throws HoldfastError `NOT_FOUND` */
    getDocument: async (key: DocumentKey): Promise<KnowledgeDocument> => {
      const row = await trx<DocumentRow>('documents').where(toWhere(key)).first();
      if (!row) throw documentNotFound(key);
      return toDocument(row);
    },

    /** With its chunks and its file, also while it is processed. @throws HoldfastError `NOT_FOUND` */
    deleteDocument: async (key: DocumentKey): Promise<void> => {
      const [deleted] = await trx('documents')
        .where(toWhere(key))
        .delete()
        .returning<{ blob_id: string }[]>('blob_id');
      if (!deleted) throw documentNotFound(key);
      await trx('blobs').where({ id: deleted.blob_id }).delete();
    },

    /** What is found of it stays until the new processing is done. @throws HoldfastError `NOT_FOUND` */
    reprocessDocument: async (key: DocumentKey): Promise<StoredDocument> => {
      const [row] = await trx('documents')
        .where(toWhere(key))
        .update({ ...toRestart(), generation: trx.raw('generation + 1'), updated_at: trx.fn.now() })
        .returning<DocumentRow[]>('*');
      if (!row) throw documentNotFound(key);
      return { document: toDocument(row), generation: row.generation };
    },

    ...createProcessingSteps(trx),
  };
}

/** What the processing of one generation of a document does; null or false when another one has taken over. */
function createProcessingSteps(trx: Knex) {
  /** Holds the row, so that it is neither deleted nor given to be processed anew until the transaction ends. */
  const lock = async ({ documentId, generation }: DocumentGeneration): Promise<DocumentRow | null> =>
    (await trx<DocumentRow>('documents').where({ id: documentId, generation }).forUpdate().first()) ?? null;

  const update = (key: DocumentGeneration, change: object) =>
    trx('documents')
      .where({ id: key.documentId, generation: key.generation })
      .update({ ...change, updated_at: trx.fn.now() });

  return {
    lock,

    /** Begins anew: what earlier attempts have stored that cannot be found is thrown away. Null when it is ready. */
    startReading: async (key: DocumentGeneration): Promise<DocumentSource | null> => {
      const row = await lock(key);
      if (!row || row.ready_generation === key.generation) return null;
      const unfound = trx('chunks').where({ document_id: key.documentId });
      if (row.ready_generation !== null) void unfound.whereNot({ generation: row.ready_generation });
      await unfound.delete();
      const progress = { ...queued, step: 'reading' };
      await update(key, { status: 'processing', error: null, progress: JSON.stringify(progress) });
      return readSource(trx, key.documentId);
    },

    noteRead: async (
      key: DocumentGeneration,
      { chunks, ...read }: { mediaType: string; pages: number | null; chunks: number },
    ) => {
      const progress = JSON.stringify({ step: 'embedding', chunks, embeddedChunks: 0 });
      await update(key, { media_type: read.mediaType, pages: read.pages, progress });
    },

    noteProgress: async (key: DocumentGeneration, progress: DocumentProgress) => {
      await update(key, { progress: JSON.stringify(progress) });
    },

    /** What the knowledge base of a document is embedded with now. */
    getEmbeddingChoice: (documentId: string): Promise<EmbeddingChoice> => getEmbeddingChoice(trx, documentId),

    /** Lets the chunks of this generation be found, and those of all others no longer. */
    finish: async (key: DocumentGeneration, embeddingModel: string | null): Promise<number> => {
      const others = trx('chunks').where({ document_id: key.documentId });
      await others.clone().whereNot({ generation: key.generation }).delete();
      const [counted] = await others.count<{ count: number }[]>();
      const chunks = counted?.count ?? 0;
      await update(key, {
        status: 'ready',
        error: null,
        ready_generation: key.generation,
        ready_embedding_model: embeddingModel,
        chunk_count: chunks,
        progress: JSON.stringify({
          step: 'done',
          chunks,
          embeddedChunks: embeddingModel === null ? 0 : chunks,
        }),
      });
      return chunks;
    },

    /** Chunks that were found before stay. What is ready by now does not fail: who says so has looked before. */
    fail: async (key: DocumentGeneration, error: ErrorInfo): Promise<void> => {
      const row = await lock(key);
      if (!row || row.ready_generation === key.generation) return;
      await trx('chunks').where({ document_id: key.documentId, generation: key.generation }).delete();
      await update(key, { status: 'failed', error: JSON.stringify(error) });
    },
  };
}

async function getEmbeddingChoice(trx: Knex, documentId: string): Promise<EmbeddingChoice> {
  const row = await trx('documents as d')
    .join('knowledge_bases as k', 'k.id', 'd.knowledge_base_id')
    .where('d.id', documentId)
    .first<{ model: string | null; connection: string | null } | undefined>(
      'k.embedding_model as model',
      'k.embedding_connection_id as connection',
    );
  return { model: row?.model ?? null, connectionId: row?.connection ?? null };
}

async function createDocument(trx: Knex, input: NewDocument): Promise<StoredDocument> {
  await checkKnowledgeBase(trx, input.knowledgeBaseId);
  const { bytes, name, mediaType } = input;
  const { id: blobId } = await createBlobRepository(trx).createBlob({ bytes, name, mediaType });
  const [row] = await trx('documents')
    .insert({
      id: newId(),
      knowledge_base_id: input.knowledgeBaseId,
      blob_id: blobId,
      name,
      media_type: mediaType,
      bytes: bytes.byteLength,
    })
    .returning<DocumentRow[]>('*');
  if (!row) throw new Error('an inserted document did not come back');
  return { document: toDocument(row), generation: row.generation };
}

/** Locked, so that it can not be deleted between this look and what comes after. */
async function checkKnowledgeBase(trx: Knex, id: string): Promise<void> {
  const found = await trx('knowledge_bases').where({ id }).forShare().first<{ id: string } | undefined>('id');
  if (!found) throw knowledgeBaseNotFound(id);
}

interface SourceRow {
  name: string;
  media_type: DocumentMediaType;
  bytes: Buffer;
  chunk_characters: number;
  chunk_overlap: number;
}

async function readSource(trx: Knex, documentId: string): Promise<DocumentSource | null> {
  const row = await trx('documents as d')
    .join('knowledge_bases as k', 'k.id', 'd.knowledge_base_id')
    .join('blobs as b', 'b.id', 'd.blob_id')
    .where('d.id', documentId)
    .first<SourceRow | undefined>(
      'd.name',
      'b.media_type',
      'b.bytes',
      'k.chunk_characters',
      'k.chunk_overlap',
    );
  if (!row) return null;
  return {
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    chunking: { maxCharacters: row.chunk_characters, overlapCharacters: row.chunk_overlap },
  };
}

function toRestart(): object {
  return { status: 'queued', error: null, progress: JSON.stringify(queued) };
}

function toWhere({ knowledgeBaseId, documentId }: DocumentKey) {
  return { id: documentId, knowledge_base_id: knowledgeBaseId };
}

function documentNotFound({ knowledgeBaseId, documentId }: DocumentKey): HoldfastError {
  return new HoldfastError(
    'NOT_FOUND',
    `There is no document ${documentId} in knowledge base ${knowledgeBaseId}.`,
  );
}

function toDocument(row: DocumentRow): KnowledgeDocument {
  return {
    id: row.id,
    knowledgeBaseId: row.knowledge_base_id,
    name: row.name,
    mediaType: row.media_type,
    bytes: row.bytes,
    status: row.status,
    progress: row.progress,
    error: row.error,
    pages: row.pages,
    chunkCount: row.chunk_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
