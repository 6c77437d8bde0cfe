import type {
  DocumentGeneration,
  DocumentIngestion,
  DocumentReading,
  EmbedChunksInput,
} from './document-contract.ts';
import type { EmbedTexts } from '../../domain/knowledge.ts';
import { checkEmbeddings } from './check-embeddings.ts';
import type { KnowledgeStore } from './knowledge-store.ts';
import type { ReadDocument } from './reading/read-document.ts';
import type { DocumentReader } from './reading/read-in-thread.ts';
import { toUnitVector, toVectorBytes } from './search/vectors.ts';
import { createWorkspaceGate } from './workspace-gate.ts';

/** Dependencies of the processing of documents: the store, the reader and the embedding model. */
interface IngestionParts {
  store: KnowledgeStore;
  read: DocumentReader;
  embed: EmbedTexts;
}

/** How many chunks are stored by one statement. */
const chunksPerInsert = 500;

/** How many documents of one workspace are read at the same time: fewer than there are threads. */
const readPerWorkspace = 1;
/** How many batches of one workspace are embedded at the same time: half of the slots of a worker. */
const embeddedPerWorkspace = 4;

/** Builds the steps that the activities of `documentIngestion` run. */
export function createDocumentIngestion(parts: IngestionParts): DocumentIngestion {
  const { store } = parts;
  const reading = createWorkspaceGate(readPerWorkspace);
  const embedding = createWorkspaceGate(embeddedPerWorkspace);
  return {
    read: (input, signal) => reading(input, () => readDocument(parts, input, signal)),
    embed: (input, signal) => embedding(input, () => embedChunks(parts, input, signal)),
    finish: ({ embeddingModel, ...document }) =>
      store.inWorkspace(document.workspaceId, async ({ documents }) => {
        const chunks = await documents.finish(document, embeddingModel);
        return chunks === null ? null : { chunks };
      }),
    fail: ({ error, ...document }) =>
      store.inWorkspace(document.workspaceId, ({ documents }) => documents.fail(document, error)),
  };
}

async function readDocument(
  { store, read }: IngestionParts,
  document: DocumentGeneration,
  signal: AbortSignal,
): Promise<DocumentReading | null> {
  const { workspaceId } = document;
  const source = await store.inWorkspace(workspaceId, ({ documents }) => documents.startReading(document));
  if (!source) return null;
  const { bytes, mediaType, chunking, name } = source;
  const found = await read({ bytes, mediaType, chunking }, signal);
  if (!(await storeChunks(store, { document, found, signal }))) return null;
  return store.inWorkspace(workspaceId, async ({ documents }) => {
    if (!(await documents.lock(document))) return null;
    const chunks = found.chunks.length;
    await documents.noteRead(document, { mediaType: found.mediaType, pages: found.pages, chunks });
    const { model } = await documents.getEmbeddingChoice(document.documentId);
    return { name, chunks, embeddingModel: model };
  });
}

interface ChunksToStore {
  document: DocumentGeneration;
  found: ReadDocument;
  signal: AbortSignal;
}

async function storeChunks(
  store: KnowledgeStore,
  { document, found, signal }: ChunksToStore,
): Promise<boolean> {
  for (let position = 0; position < found.chunks.length; position += chunksPerInsert) {
    signal.throwIfAborted();
    const some = found.chunks.slice(position, position + chunksPerInsert);
    const isStored = await store.inWorkspace(document.workspaceId, async ({ documents, chunks }) => {
      if (!(await documents.lock(document))) return false;
      await chunks.storeChunks(document, some, position);
      return true;
    });
    if (!isStored) return false;
  }
  return true;
}

async function embedChunks(
  { store, embed }: IngestionParts,
  { embeddingModel, from, to, ...document }: EmbedChunksInput,
  signal: AbortSignal,
): Promise<{ embeddedChunks: number } | null> {
  const { workspaceId } = document;
  const work = await store.inWorkspace(workspaceId, async ({ documents, chunks }) => {
    if (!(await documents.lock(document))) return null;
    const { connectionId } = await documents.getEmbeddingChoice(document.documentId);
    return { connectionId, open: await chunks.listUnembedded(document, { from, to }) };
  });
  if (!work) return null;
  const { open, connectionId } = work;
  if (open.length === 0) return { embeddedChunks: to };
  const vectors = await embed(
    { workspaceId, model: embeddingModel, connectionId, call: toCall(document, from) },
    open.map(toEmbeddedText),
    signal,
  );
  checkEmbeddings(embeddingModel, vectors, open.length);
  const embeddings = open.map(({ position }, index) => ({
    position,
    embedding: toVectorBytes(toUnitVector(vectors[index] ?? [])),
  }));
  return store.inWorkspace(workspaceId, async ({ documents, chunks }) => {
    const row = await documents.lock(document);
    if (!row) return null;
    await chunks.storeEmbeddings(document, embeddings);
    await documents.noteProgress(document, { ...row.progress, embeddedChunks: to });
    return { embeddedChunks: to };
  });
}

/** The attempts at a batch embed the same chunks, since those of a batch are stored together. */
function toCall({ documentId, generation }: DocumentGeneration, from: number) {
  return { sourceId: documentId, part: `embedding/${generation}/${from}` };
}

/** Puts the headings before the text, since a text often does not repeat its subject. */
function toEmbeddedText({ headings, text }: { headings: string[]; text: string }): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n\n${text}`;
}
