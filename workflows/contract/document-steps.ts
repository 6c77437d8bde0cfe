import type { ErrorInfo } from '../../src/domain/errors.ts';

/** One processing of a document: a later one has a higher generation and replaces it. */
export interface DocumentGeneration {
  workspaceId: string;
  documentId: string;
  generation: number;
}

/** The id of the workflow that processes a document. */
export function toIngestionWorkflowId({ documentId, generation }: DocumentGeneration): string {
  return `document-${documentId}-${generation}`;
}

/** The task queue of the steps of documents, beside that of turns: however many wait, no turn waits with them. */
export function toDocumentTaskQueue(taskQueue: string): string {
  return `${taskQueue}-documents`;
}

/** What reading a document gave its workflow to go on with. */
export interface DocumentReading {
  name: string;
  chunks: number;
  /** Null when nothing is to be embedded. */
  embeddingModel: string | null;
}

/** A range of chunks by their positions, without the end. */
export interface ChunkRange {
  from: number;
  to: number;
}

/** How many chunks are embedded by one call of the model. */
export const chunksPerEmbedding = 64;

/** One call of the embedding model: what it was read for stays its model, also when the knowledge base gets another. */
export interface EmbedChunksInput extends DocumentGeneration, ChunkRange {
  embeddingModel: string;
}

/** How a document becomes searchable at last. */
export interface FinishDocumentInput extends DocumentGeneration {
  embeddingModel: string | null;
}

/** Why a document does not. */
export interface FailDocumentInput extends DocumentGeneration {
  error: ErrorInfo;
}

/** How the workflow of a document ended. */
export interface DocumentIngestionResult {
  /** `superseded` when the document was deleted, or given to be processed anew. */
  outcome: 'ready' | 'failed' | 'superseded';
  chunks: number;
}

/**
 * The steps that make a document searchable. Each can be repeated. They answer null once the document was deleted or
 * is processed anew, since there is nothing left to do then.
 */
export interface DocumentIngestion {
  /** Reads the document, cuts it into chunks and stores them. @throws HoldfastError `DOCUMENT_UNREADABLE` */
  read: (document: DocumentGeneration, signal: AbortSignal) => Promise<DocumentReading | null>;
  /** Embeds those chunks of a range that have no embedding. @throws HoldfastError with a `MODEL_…` code */
  embed: (input: EmbedChunksInput, signal: AbortSignal) => Promise<{ embeddedChunks: number } | null>;
  /** Lets the new chunks take the place of the old ones, at once. */
  finish: (input: FinishDocumentInput) => Promise<{ chunks: number } | null>;
  fail: (input: FailDocumentInput) => Promise<void>;
}

/** Starts the workflow that processes a document of this name; does nothing when it was started before. */
export type StartIngestion = (document: DocumentGeneration, name: string) => Promise<void>;
