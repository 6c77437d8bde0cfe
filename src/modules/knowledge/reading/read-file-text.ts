import { HoldfastError } from '../../../domain/errors.ts';
import type { StoredFile } from '../../../domain/tool.ts';
import type { DocumentReader } from './read-in-thread.ts';
import { toDocumentMediaType } from './to-document-media-type.ts';

/** Builds the function that reads the text of a file; null for a file of a type without text, and for a damaged one. */
export function createTextReader(read: DocumentReader) {
  return async ({ bytes, mediaType, name }: StoredFile, signal: AbortSignal): Promise<string | null> => {
    const type = toDocumentMediaType(mediaType, name ?? '');
    if (type === null) return null;
    try {
      const { text } = await read({ bytes, mediaType: type, chunking: null }, signal);
      return text;
    } catch (error) {
      if (error instanceof HoldfastError && error.code === 'DOCUMENT_UNREADABLE') return null;
      throw error;
    }
  };
}
