import type { NewDocument, StoredDocument } from '../db/knowledge/document-repository.ts';
import { HoldfastError } from '../domain/errors.ts';
import { toDocumentMediaType, type TextDocument } from '../domain/knowledge.ts';
import type { RouteContext } from '../http/server/route.ts';
import type { UploadedFile } from '../http/server/server-type.ts';

type IngestContext = Pick<
  RouteContext<unknown, unknown, unknown, unknown>,
  'dependencies' | 'principal' | 'log' | 'logIds'
>;

/**
 * A document as it is stored, from a file or from JSON.
 * @throws HoldfastError `UNSUPPORTED_MEDIA_TYPE` for a file of a kind that can not be read
 */
export function toNewDocument(knowledgeBaseId: string, source: UploadedFile | TextDocument): NewDocument {
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

/** Starts the processing of a stored document. It is not lost when that fails: the sweeper starts it later. */
export async function startIngestion(
  { dependencies, principal, log, logIds }: IngestContext,
  { document, generation }: StoredDocument,
): Promise<void> {
  const { workspaceId } = principal;
  logIds({ documentId: document.id });
  try {
    await dependencies.startIngestion({ workspaceId, documentId: document.id, generation }, document.name);
  } catch (error) {
    log.warn(
      { err: error, documentId: document.id },
      'the document is stored, but its processing is not started; the sweeper will start it',
    );
  }
}
