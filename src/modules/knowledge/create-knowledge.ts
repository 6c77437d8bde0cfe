import type { Database } from '../../platform/database/connect-database.ts';
import { createChunkRepository, findVectorSupport } from './search/chunk-repository.ts';
import { createDocumentProcessingRepository } from './document-processing-repository.ts';
import { createKnowledgeBaseRepository } from './bases/knowledge-base-repository.ts';
import type { DocumentIngestion } from './document-contract.ts';
import type { EmbedTexts, SearchKnowledge } from '../../domain/knowledge.ts';
import { createDocumentIngestion } from './create-document-ingestion.ts';
import type { KnowledgeStore } from './knowledge-store.ts';
import { createDocumentReader, type ReaderLimits } from './reading/read-in-thread.ts';
import { createTextReader } from './reading/read-file-text.ts';
import { createKnowledgeSearch } from './search/search-knowledge.ts';

interface KnowledgeParts {
  database: Pick<Database, 'system' | 'inWorkspace'>;
  embed: EmbedTexts;
  readerLimits?: ReaderLimits;
}

/** The functions of knowledge bases for the rest of the program. */
export interface Knowledge {
  search: SearchKnowledge;
  ingestion: DocumentIngestion;
  /** Reads the text of a file; null for a file of a type without text, and for a damaged one. */
  readText: ReturnType<typeof createTextReader>;
}

/** How long a file of a message may be read, in milliseconds. */
const messageTimeoutMs = 20_000;

/** Wires knowledge bases to the database and to the embedding models. */
export function createKnowledge({ database, embed, readerLimits }: KnowledgeParts): Knowledge {
  const store = createKnowledgeStore(database);
  // Files of messages have separate threads, since a turn waits for them.
  const messageReader = createDocumentReader({ timeoutMs: messageTimeoutMs, ...readerLimits });
  return {
    readText: createTextReader(messageReader),
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
          documents: createDocumentProcessingRepository(trx),
          chunks: createChunkRepository(trx, vectors),
        }),
      );
    },
  };
}
