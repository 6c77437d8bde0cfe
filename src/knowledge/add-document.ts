import { createDocumentRepository, type NewDocument } from '../db/knowledge/document-repository.ts';
import type { Principal } from '../domain/api-key.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { KnowledgeDocument, TextDocument } from '../domain/knowledge.ts';
import { recordDocument } from './record-knowledge.ts';
import { startIngestion, type IngestionDependencies } from './start-ingestion.ts';
import { toDocumentMediaType } from './to-document-media-type.ts';

/** An uploaded file; `mediaType` is the type that the client declared. */
interface DocumentFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

interface DocumentInput {
  knowledgeBaseId: string;
  source: DocumentFile | TextDocument;
}

/**
 * Stores a document, from a file or a text, and starts its processing.
 * @throws HoldfastError `UNSUPPORTED_MEDIA_TYPE` for a file of a type that cannot be read; `NOT_FOUND` without the
 * knowledge base
 */
export async function addDocument(
  dependencies: IngestionDependencies,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  input: DocumentInput,
): Promise<KnowledgeDocument> {
  const document = toNewDocument(input);
  const stored = await dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const created = await createDocumentRepository(trx).createDocument(document);
    await recordDocument(trx, 'created', created.document);
    return created;
  });
  await startIngestion(dependencies, workspaceId, stored);
  return stored.document;
}

function toNewDocument({ knowledgeBaseId, source }: DocumentInput): NewDocument {
  if ('text' in source) {
    const { name, mediaType, text } = source;
    return { knowledgeBaseId, name, mediaType, bytes: new TextEncoder().encode(text) };
  }
  const { name, bytes } = source;
  const mediaType = toDocumentMediaType(source.mediaType, name);
  if (mediaType === null) {
    const found = source.mediaType.slice(0, 100);
    const message = `Expected a document of text, Markdown, HTML, PDF or DOCX, found one of type "${found}".`;
    throw new HoldfastError('UNSUPPORTED_MEDIA_TYPE', message);
  }
  return { knowledgeBaseId, name, mediaType, bytes };
}
