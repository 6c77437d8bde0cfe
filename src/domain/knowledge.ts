import { z } from 'zod';
import { errorInfoSchema } from './turn.ts';

/** The languages that every supported Postgres can stem; `simple` leaves words unchanged. */
export const searchLanguages = [
  ...['arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french', 'german'],
  ...['greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian', 'nepali', 'norwegian'],
  ...['portuguese', 'romanian', 'russian', 'serbian', 'simple', 'spanish', 'swedish', 'tamil', 'turkish'],
  'yiddish',
] as const;

/** How documents are cut into chunks; sizes in characters. */
const chunkingSchema = z
  .strictObject({
    maxCharacters: z.int().min(200).max(8000).default(1600),
    /** The maximum number of characters at the end of a chunk, in whole sentences, that the next chunk repeats; 0 for none. */
    overlapCharacters: z.int().min(0).max(2000).default(200),
  })
  .refine(({ maxCharacters, overlapCharacters }) => overlapCharacters <= maxCharacters / 2, {
    path: ['overlapCharacters'],
    message: 'expected at most half of maxCharacters',
  });
export type Chunking = z.infer<typeof chunkingSchema>;

const name = z.string().trim().min(1).max(200);
const description = z.string().max(4000);
const embeddingModel = z
  .string()
  .min(1)
  .max(300)
  .describe('The embedding model, such as `openai/text-embedding-3-small` or `compatible/…`');

/** A new knowledge base. */
export const knowledgeBaseInputSchema = z.strictObject({
  name,
  description: description.default(''),
  /** The language for stemming in full-text search. It cannot be changed later. */
  language: z.enum(searchLanguages).default('english'),
  /** The model for searches by meaning; without one, searches use words only. */
  embeddingModel: embeddingModel.nullable().default(null),
  /** The connection whose key is used for embeddings; without one, the key of the operator is used. */
  embeddingConnectionId: z.uuid().nullable().default(null),
  chunking: chunkingSchema.default({ maxCharacters: 1600, overlapCharacters: 200 }),
});
export type KnowledgeBaseInput = z.infer<typeof knowledgeBaseInputSchema>;

/**
 * A change of a knowledge base. Chunking and embedding model apply to documents that are processed afterwards: until it is
 * reprocessed, a document without embeddings of the new model is found by its words only.
 */
export const knowledgeBaseChangeSchema = z.strictObject({
  name: name.optional(),
  description: description.optional(),
  embeddingModel: embeddingModel.nullable().optional(),
  embeddingConnectionId: z.uuid().nullable().optional(),
  chunking: chunkingSchema.optional(),
});
export type KnowledgeBaseChange = z.infer<typeof knowledgeBaseChangeSchema>;

/** A knowledge base: documents that are searched together. */
export const knowledgeBaseSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  language: z.enum(searchLanguages),
  embeddingModel: z.string().nullable(),
  embeddingConnectionId: z.string().nullable(),
  chunking: z.object({ maxCharacters: z.int(), overlapCharacters: z.int() }),
  documentCount: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgeBase = z.infer<typeof knowledgeBaseSchema>;

/** The state of a document. After a failed reprocessing, searches still find its earlier chunks. */
const documentStatuses = ['queued', 'processing', 'ready', 'failed'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];

/** The progress of the processing of a document. */
export const documentProgressSchema = z.object({
  step: z.enum(['queued', 'reading', 'embedding', 'done']),
  chunks: z.int(),
  embeddedChunks: z.int(),
});
export type DocumentProgress = z.infer<typeof documentProgressSchema>;

/** A document of a knowledge base, without its text. */
export const documentSchema = z.object({
  id: z.string(),
  knowledgeBaseId: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  status: z.enum(documentStatuses),
  progress: documentProgressSchema,
  /** The reason why the document could not be processed; null otherwise. */
  error: errorInfoSchema.nullable(),
  /** The number of pages; null for kinds of documents without pages. */
  pages: z.int().nullable(),
  /** The number of chunks that searches can find. */
  chunkCount: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type KnowledgeDocument = z.infer<typeof documentSchema>;

/** A small document in the JSON body of a request. */
export const textDocumentSchema = z.strictObject({
  name: z.string().trim().min(1).max(300),
  text: z.string().min(1),
  mediaType: z.enum(['text/plain', 'text/markdown', 'text/html']).default('text/plain'),
});

export type TextDocument = z.infer<typeof textDocumentSchema>;

/** A part of a document that is indexed and found as one. */
export interface DocumentChunk {
  text: string;
  /** The headings above the chunk, outermost first. */
  headings: string[];
  /** The page on which the chunk begins; null for kinds of documents without pages. */
  page: number | null;
}

/** A chunk that answers a query. */
export const knowledgeResultSchema = z.object({
  text: z.string(),
  /** A higher score is better. Scores of different searches cannot be compared. */
  score: z.number(),
  document: z.object({ id: z.string(), name: z.string() }),
  /** The number of the chunk in its document, from 0. */
  position: z.int(),
  page: z.int().nullable(),
  headings: z.array(z.string()),
});
export type KnowledgeResult = z.infer<typeof knowledgeResultSchema>;

/** A search of a knowledge base. */
export const knowledgeQuerySchema = z.strictObject({
  query: z.string().trim().min(1).max(4000),
  limit: z.int().min(1).max(50).default(8),
});

/** The results of a search, best first. */
export interface KnowledgeAnswer {
  results: KnowledgeResult[];
  /** The reason when the search used words only because embeddings failed; null otherwise. */
  notice: string | null;
}

interface KnowledgeSearchOptions {
  workspaceId: string;
  knowledgeBaseId: string;
  query: string;
  /** @default 8 */
  limit?: number;
  signal: AbortSignal;
  /** The tool call that searches. @default a search outside of turns */
  caller?: { turnId: string; toolCallId: string };
}

/**
 * Searches one knowledge base, by words and, when it has an embedding model, by meaning.
 * @throws HoldfastError `NOT_FOUND`, `BUDGET_EXCEEDED`
 */
export type SearchKnowledge = (options: KnowledgeSearchOptions) => Promise<KnowledgeAnswer>;

/** Maps each text to one vector; all vectors have the same length. @throws HoldfastError with a `MODEL_…` code */
export type EmbedTexts = (
  request: EmbeddingRequest,
  texts: string[],
  signal: AbortSignal,
) => Promise<number[][]>;

/** The embedding model, and the connection whose key is used; without one, the key of the operator is used. */
interface EmbeddingModelRequest {
  workspaceId: string;
  model: string;
  connectionId: string | null;
}

/** A call of an embedding model that costs credits. */
export interface EmbeddingRequest extends EmbeddingModelRequest {
  /** Names the call in the ledger of credits, the same for all its attempts. */
  call: { sourceId: string; part: string };
}

/** Calls an embedding model. `tokens` is what the vendor counts, 0 when it does not say. @throws HoldfastError with a `MODEL_…` code */
export type MakeEmbeddings = (
  model: EmbeddingModelRequest,
  texts: string[],
  signal: AbortSignal,
) => Promise<{ vectors: number[][]; tokens: number }>;
