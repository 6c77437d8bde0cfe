import type { ErrorInfo } from '../../domain/errors.ts';

/** One run of processing a document. A later run has a higher generation and replaces it. */
export interface DocumentGeneration {
  workspaceId: string;
  documentId: string;
  generation: number;
}

/** The id of the workflow that processes a document. */
export function toIngestionWorkflowId({ documentId, generation }: DocumentGeneration): string {
  return `document-${documentId}-${generation}`;
}

/** The task queue of the steps of documents. It is not that of turns, so that turns do not wait behind documents. */
export function toDocumentTaskQueue(taskQueue: string): string {
  return `${taskQueue}-documents`;
}

/**
 * The task queue for reading documents. It is not that of the other steps, so that neither embedding nor finishing waits
 * behind documents that take long to read.
 */
export function toReadingTaskQueue(taskQueue: string): string {
  return `${taskQueue}-reading`;
}

/**
 * The answer of a step that was not tried, since its workspace has as many documents at work in this process as it may
 * have. The document waits outside of the process, so that it holds no slot that another workspace could use.
 */
export type Busy = 'busy';

/** The result of reading a document: its name, the number of its chunks, and the model that embeds them. */
export interface DocumentReading {
  name: string;
  chunks: number;
  /** Null when the knowledge base has no embedding model. */
  embeddingModel: string | null;
}

/** A range of chunks by their positions; `to` is not part of it. */
export interface ChunkRange {
  from: number;
  to: number;
}

/** The number of chunks that one call of the model embeds. */
export const chunksPerEmbedding = 64;

/** Input of `embedChunks`: the range, and the model that `readDocument` found, which stays the same for all ranges. */
export interface EmbedChunksInput extends DocumentGeneration, ChunkRange {
  embeddingModel: string;
}

/** Input of `finishDocument`: the generation, and the model that its chunks were embedded with, null for none. */
export interface FinishDocumentInput extends DocumentGeneration {
  embeddingModel: string | null;
}

/** Input of `failDocument`: the generation that failed, and its error. */
export interface FailDocumentInput extends DocumentGeneration {
  error: ErrorInfo;
}

/** The activities of the workflow that makes a document searchable; see {@link DocumentIngestion}. */
export interface DocumentSteps {
  readDocument: (input: DocumentGeneration) => Promise<DocumentReading | Busy | null>;
  embedChunks: (input: EmbedChunksInput) => Promise<{ embeddedChunks: number } | Busy | null>;
  finishDocument: (input: FinishDocumentInput) => Promise<{ chunks: number } | null>;
  failDocument: (input: FailDocumentInput) => Promise<void>;
}

/** The step that the processing of a document is at. */
export interface DocumentIngestionProgress {
  name: string;
  step: 'reading' | 'embedding' | 'done' | 'failed';
  chunks: number;
  embeddedChunks: number;
}

/** How the workflow of a document ended. */
export interface DocumentIngestionResult {
  /** `superseded` when the document was deleted or reprocessed meanwhile. */
  outcome: 'ready' | 'failed' | 'superseded';
  chunks: number;
}

/**
 * The steps that make a document searchable. Each can be repeated. They return null when the document was deleted or
 * a newer generation of it is being processed; then this generation stops.
 */
export interface DocumentIngestion {
  /** Reads the document, cuts it into chunks and stores them. @throws HoldfastError `DOCUMENT_UNREADABLE` */
  read: (input: DocumentGeneration, signal: AbortSignal) => Promise<DocumentReading | Busy | null>;
  /** Embeds the chunks of a range that have no embedding yet. @throws HoldfastError with a `MODEL_…` code */
  embed: (input: EmbedChunksInput, signal: AbortSignal) => Promise<{ embeddedChunks: number } | Busy | null>;
  /** Replaces the searchable chunks by the new ones, in one transaction. */
  finish: (input: FinishDocumentInput) => Promise<{ chunks: number } | null>;
  /** Marks the generation as failed; the chunks of an earlier generation can still be found. */
  fail: (input: FailDocumentInput) => Promise<void>;
}

/** Starts the workflow that processes a document of this name; does nothing when it was started before. */
export type StartIngestion = (document: DocumentGeneration, name: string) => Promise<void>;
