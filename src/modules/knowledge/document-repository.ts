import type { Knex } from 'knex';
import { HoldfastError, type ErrorInfo } from '../../domain/errors.ts';
import type { DocumentMediaType } from '../../domain/document-media-type.ts';
import type { DocumentProgress, DocumentStatus, KnowledgeDocument } from '../../domain/knowledge.ts';
import { newId } from '../../platform/lib/ids.ts';
import { toPage, type Page, type PageRequest } from '../../platform/database/page.ts';
import { createFileRepository } from '../files/file-repository.ts';
import { knowledgeBaseNotFound } from './bases/knowledge-base-repository.ts';

/** A row of `documents`. */
export interface DocumentRow {
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

/** A document before it is stored. */
export interface NewDocument {
  knowledgeBaseId: string;
  name: string;
  mediaType: DocumentMediaType;
  bytes: Uint8Array;
}

/** A document with the generation of its newest processing. */
export interface StoredDocument {
  document: KnowledgeDocument;
  generation: number;
}

/** Names a document of a knowledge base. */
export interface DocumentKey {
  knowledgeBaseId: string;
  documentId: string;
}

/** The progress of a document that waits to be processed. */
export const queuedProgress: DocumentProgress = { step: 'queued', chunks: 0, embeddedChunks: 0 };

/** Documents of the knowledge bases of one workspace, as their owners see them. */
export function createDocumentRepository(trx: Knex) {
  return {
    /** @throws HoldfastError `NOT_FOUND` for a knowledge base that does not exist */
    createDocument: (input: NewDocument): Promise<StoredDocument> => createDocument(trx, input),

    /** Lists documents, newest first. @throws HoldfastError `NOT_FOUND` for a knowledge base that does not exist */
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

    /** Deletes a document with its chunks and file, also while it is processed. @throws HoldfastError `NOT_FOUND` */
    deleteDocument: async (key: DocumentKey): Promise<void> => {
      const [deleted] = await trx('documents')
        .where(toWhere(key))
        .delete()
        .returning<{ file_id: string }[]>('file_id');
      if (!deleted) throw documentNotFound(key);
      await trx('files').where({ id: deleted.file_id }).delete();
    },

    /**
     * Queues a new generation. Searches find the present chunks until it is ready.
     * @throws HoldfastError `NOT_FOUND`
     */
    reprocessDocument: async (key: DocumentKey): Promise<StoredDocument> => {
      const [row] = await trx('documents')
        .where(toWhere(key))
        .update({ ...toRestart(), generation: trx.raw('generation + 1'), updated_at: trx.fn.now() })
        .returning<DocumentRow[]>('*');
      if (!row) throw documentNotFound(key);
      return { document: toDocument(row), generation: row.generation };
    },
  };
}

async function createDocument(trx: Knex, input: NewDocument): Promise<StoredDocument> {
  await checkKnowledgeBase(trx, input.knowledgeBaseId);
  const { bytes, name, mediaType } = input;
  const { id: fileId } = await createFileRepository(trx).createFile({ bytes, name, mediaType });
  const [row] = await trx('documents')
    .insert({
      id: newId(),
      knowledge_base_id: input.knowledgeBaseId,
      file_id: fileId,
      name,
      media_type: mediaType,
      bytes: bytes.byteLength,
    })
    .returning<DocumentRow[]>('*');
  if (!row) throw new Error('an inserted document did not come back');
  return { document: toDocument(row), generation: row.generation };
}

/** Locks the knowledge base, so that it cannot be deleted before the transaction ends. */
async function checkKnowledgeBase(trx: Knex, id: string): Promise<void> {
  const found = await trx('knowledge_bases').where({ id }).forShare().first<{ id: string } | undefined>('id');
  if (!found) throw knowledgeBaseNotFound(id);
}

function toRestart(): object {
  return { status: 'queued', error: null, progress: JSON.stringify(queuedProgress) };
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
