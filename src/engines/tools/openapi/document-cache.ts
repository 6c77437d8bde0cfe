import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../domain/json.ts';
import type { RequestCredentials } from '../../../domain/request-credentials.ts';

/** The most documents that are kept, and the most characters that they may have together. */
const mostDocuments = { count: 100, characters: 16 * 1024 * 1024 };

/** How long a document is used without asking its server whether it has changed, in milliseconds. */
const freshMs = 30_000;

interface Asked {
  workspaceId: string;
  url: string;
  credentials: RequestCredentials;
}

interface Kept {
  document: JsonObject;
  /** The number of characters of its text. */
  size: number;
  /** The headers that ask its server whether it has changed. */
  conditions: Record<string, string>;
  /** The time until which it is used without asking, in epoch milliseconds. */
  freshUntil: number;
}

interface NewDocument extends Pick<Kept, 'document' | 'size'> {
  headers: Headers;
  /** The conditions of the request that was answered with 304. @default none */
  conditions?: Kept['conditions'];
}

/** A document that was read before. */
interface KnownDocument extends Pick<Kept, 'document' | 'size' | 'conditions'> {
  /** Whether it may be used without asking its server. */
  isFresh: boolean;
}

/**
 * Keeps OpenAPI documents by their workspace and address. The server of a document that was read with credentials is asked
 * each time, so that credentials which it no longer takes read nothing; its answer 304 saves the document and its parsing.
 */
export function createDocumentCache(now: () => number) {
  const documents = new LRUCache<string, Kept>({
    max: mostDocuments.count,
    maxSize: mostDocuments.characters,
    sizeCalculation: ({ size }) => size + 1,
  });
  return {
    find: (asked: Asked): KnownDocument | null => {
      const kept = documents.get(toKey(asked));
      if (!kept) return null;
      return { ...kept, isFresh: isPublic(asked) && now() < kept.freshUntil };
    },

    /** Keeps a document as long as the headers of its answer allow it. */
    keep: (asked: Asked, { document, size, headers, conditions: former = {} }: NewDocument): void => {
      const control = headers.get('cache-control')?.toLowerCase() ?? '';
      const conditions = { ...former, ...toConditions(headers) };
      const isFreshLater = isPublic(asked) && !control.includes('no-cache');
      if (control.includes('no-store') || (!isFreshLater && Object.keys(conditions).length === 0)) {
        documents.delete(toKey(asked));
        return;
      }
      const freshUntil = isFreshLater ? now() + freshMs : 0;
      documents.set(toKey(asked), { document, size, conditions, freshUntil });
    },
  };
}

function toKey({ workspaceId, url }: Asked): string {
  return `${workspaceId} ${url}`;
}

function isPublic({ credentials: { secrets, ...schemes } }: Asked): boolean {
  return Object.keys(secrets).length === 0 && Object.keys(schemes).length === 0;
}

function toConditions(headers: Headers): Record<string, string> {
  const etag = headers.get('etag');
  if (etag !== null) return { 'if-none-match': etag };
  const lastModified = headers.get('last-modified');
  return lastModified === null ? {} : { 'if-modified-since': lastModified };
}
