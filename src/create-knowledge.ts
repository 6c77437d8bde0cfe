import type { Database } from './db/connect.ts';
import { createChunkRepository, findVectorSupport } from './db/repositories/chunks.ts';
import { createDocumentRepository } from './db/repositories/documents.ts';
import { createKnowledgeBaseRepository } from './db/repositories/knowledge-bases.ts';
import type { DocumentIngestion } from './domain/document-ingestion.ts';
import type { EmbedTexts, SearchKnowledge } from './domain/knowledge.ts';
import { createDocumentIngestion } from './knowledge/document-ingestion.ts';
import type { KnowledgeStore } from './knowledge/knowledge-store.ts';
import { createDocumentReader, type ReaderLimits } from './knowledge/read-in-thread.ts';
import { createKnowledgeSearch } from './knowledge/search-knowledge.ts';

interface KnowledgeParts {
  database: Pick<Database, 'system' | 'inWorkspace'>;
  embed: EmbedTexts;
  readerLimits?: ReaderLimits;
}

/** Knowledge bases as the rest of the program uses them. */
export interface Knowledge {
  search: SearchKnowledge;
  ingestion: DocumentIngestion;
}

/** Wires knowledge bases to the database and to the embedding models. */
export function createKnowledge({ database, embed, readerLimits }: KnowledgeParts): Knowledge {
  const store = createKnowledgeStore(database);
  return {
    search: createKnowledgeSearch({ store, embed }),
    ingestion: createDocumentIngestion({ store, embed, read: createDocumentReader(readerLimits) }),
  };
}

function createKnowledgeStore(database: KnowledgeParts['database']): KnowledgeStore {
  let support: Promise<boolean> | undefined;
  const hasVectors = () => {
    support ??= findVectorSupport(database.system).catch((error: unknown) => {
      support = undefined;
      throw error;
    });
    return support;
  };
  return {
    hasVectors,
    inWorkspace: async (workspaceId, run) => {
      const vectors = { hasVectors: await hasVectors() };
      return database.inWorkspace(workspaceId, (trx) =>
        run({
          knowledgeBases: createKnowledgeBaseRepository(trx),
          documents: createDocumentRepository(trx),
          chunks: createChunkRepository(trx, vectors),
        }),
      );
    },
  };
}
