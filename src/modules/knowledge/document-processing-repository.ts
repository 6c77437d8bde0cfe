import type { Knex } from 'knex';
import type { DocumentGeneration } from './document-contract.ts';
import type { ErrorInfo } from '../../domain/errors.ts';
import type { DocumentMediaType } from '../../domain/document-media-type.ts';
import type { Chunking, DocumentProgress } from '../../domain/knowledge.ts';
import type { WebhookEvent } from '../../domain/webhook.ts';
import { notifyWebhooksInside } from '../../platform/outbox/notify-webhooks.ts';
import { queuedProgress, type DocumentRow } from './document-repository.ts';

/** The file of a document, and the sizes of its chunks. */
interface DocumentSource {
  name: string;
  mediaType: DocumentMediaType;
  bytes: Uint8Array;
  chunking: Chunking;
}

/** The embedding model of a knowledge base (null for none), and the connection whose key is used. */
export interface EmbeddingChoice {
  model: string | null;
  connectionId: string | null;
}

export type DocumentProcessingRepository = ReturnType<typeof createDocumentProcessingRepository>;

/** Reads and writes for the steps of one generation of a document. They return null once a newer generation exists. */
export function createDocumentProcessingRepository(trx: Knex) {
  /** Locks the row, so that the document is neither deleted nor reprocessed until the transaction ends. */
  const lock = async ({ documentId, generation }: DocumentGeneration): Promise<DocumentRow | null> =>
    (await trx<DocumentRow>('documents').where({ id: documentId, generation }).forUpdate().first()) ?? null;

  const update = (key: DocumentGeneration, change: object) =>
    trx('documents')
      .where({ id: key.documentId, generation: key.generation })
      .update({ ...change, updated_at: trx.fn.now() });

  return {
    lock,

    /**
     * Starts the processing again: deletes the chunks that earlier attempts left. Null when the generation is ready.
     */
    startReading: async (key: DocumentGeneration): Promise<DocumentSource | null> => {
      const row = await lock(key);
      if (!row || row.ready_generation === key.generation) return null;
      const unfound = trx('chunks').where({ document_id: key.documentId });
      if (row.ready_generation !== null) void unfound.whereNot({ generation: row.ready_generation });
      await unfound.delete();
      const progress = { ...queuedProgress, step: 'reading' };
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

    /** Reads the present embedding model and connection of the knowledge base of a document. */
    getEmbeddingChoice: (documentId: string): Promise<EmbeddingChoice> => getEmbeddingChoice(trx, documentId),

    /** Makes searches find the chunks of this generation, and deletes those of all others. */
    finish: async (key: DocumentGeneration, embeddingModel: string | null): Promise<number | null> => {
      const row = await lock(key);
      if (!row) return null;
      const others = trx('chunks').where({ document_id: key.documentId });
      await others.clone().whereNot({ generation: key.generation }).delete();
      const [counted] = await others.count<{ count: number }[]>();
      const chunks = counted?.count ?? 0;
      const embeddedChunks = embeddingModel === null ? 0 : chunks;
      await update(key, {
        status: 'ready',
        error: null,
        ready_generation: key.generation,
        ready_embedding_model: embeddingModel,
        chunk_count: chunks,
        progress: JSON.stringify({ step: 'done', chunks, embeddedChunks }),
      });
      if (row.ready_generation !== key.generation) await notifyOfDocument(trx, 'document.ready', row);
      return chunks;
    },

    /**
     * Marks the generation as failed and deletes its chunks; the chunks of an earlier generation stay. Does nothing when
     * the generation is ready by now: the caller decided on an older state.
     */
    fail: async (key: DocumentGeneration, error: ErrorInfo): Promise<void> => {
      const row = await lock(key);
      if (!row || row.ready_generation === key.generation) return;
      await trx('chunks').where({ document_id: key.documentId, generation: key.generation }).delete();
      await update(key, { status: 'failed', error: JSON.stringify(error) });
      if (row.status !== 'failed') await notifyOfDocument(trx, 'document.failed', row);
    },
  };
}

function notifyOfDocument(
  trx: Knex,
  type: WebhookEvent,
  { id, knowledge_base_id }: DocumentRow,
): Promise<void> {
  return notifyWebhooksInside(trx, type, { documentId: id, knowledgeBaseId: knowledge_base_id });
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
    .join('files as b', 'b.id', 'd.file_id')
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
