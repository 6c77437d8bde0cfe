import { createDocumentRepository, type NewDocument } from './document-repository.ts';
import { createKnowledgeBaseRepository } from './bases/knowledge-base-repository.ts';
import type { Actor } from '../../domain/actor.ts';
import { HoldfastError } from '../../domain/errors.ts';
import type { KnowledgeDocument, TextDocument } from '../../domain/knowledge.ts';
import type { FileDependencies } from '../files/file-dependencies.ts';
import { scanBytes } from '../files/scan-bytes.ts';
import { newId } from '../../platform/lib/ids.ts';
import { recordDocument } from './record-knowledge.ts';
import { startIngestion, type IngestionDependencies } from './start-ingestion.ts';
import { toDocumentMediaType } from './reading/to-document-media-type.ts';

/** An uploaded file; `mediaType` is the type that the client declared. */
interface DocumentFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

interface DocumentInput {
  knowledgeBaseId: string;
  source: DocumentFile | TextDocument;
  /** Ends the virus scan of the document, which is then not stored. */
  signal: AbortSignal;
}

interface AddDependencies extends IngestionDependencies, Pick<FileDependencies, 'scanFile'> {}

/**
 * Stores a document, from a file or a text, and starts its processing. With a virus scanner, both are scanned before.
 * @throws HoldfastError `UNSUPPORTED_MEDIA_TYPE` for a file of a type that cannot be read; `NOT_FOUND` without the
 * knowledge base; `FILE_REFUSED` by the virus scan, or `SERVICE_UNAVAILABLE` without its verdict
 */
export async function addDocument(
  dependencies: AddDependencies,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  input: DocumentInput,
): Promise<KnowledgeDocument> {
  const document = toNewDocument(input);
  if (dependencies.scanFile)
    await scanDocument(dependencies, workspaceId, { ...document, signal: input.signal });
  const stored = await dependencies.database.inWorkspace(workspaceId, async (trx) => {
    const created = await createDocumentRepository(trx).createDocument(document);
    await recordDocument(trx, 'created', created.document);
    return created;
  });
  await startIngestion(dependencies, workspaceId, stored);
  return stored.document;
}

/** Scans a document outside the transaction that stores it, since a scan can take minutes. */
async function scanDocument(
  dependencies: AddDependencies,
  workspaceId: string,
  { knowledgeBaseId, name, bytes, signal }: NewDocument & Pick<DocumentInput, 'signal'>,
): Promise<void> {
  // Checked before the scan, so that an unknown knowledge base is `NOT_FOUND` whatever the scanner answers.
  await dependencies.database.inWorkspace(workspaceId, (trx) =>
    createKnowledgeBaseRepository(trx).getKnowledgeBase(knowledgeBaseId),
  );
  const ref = { workspaceId, id: newId() };
  await scanBytes(dependencies, ref, { knowledgeBaseId, name, bytes, signal });
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
