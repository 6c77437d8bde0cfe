import type { ChunkRepository } from '../db/repositories/chunks.ts';
import type { DocumentRepository } from '../db/repositories/documents.ts';
import type { KnowledgeBaseRepository } from '../db/repositories/knowledge-bases.ts';

/** What is kept of knowledge bases, in one transaction. */
export interface KnowledgeRepositories {
  knowledgeBases: KnowledgeBaseRepository;
  documents: DocumentRepository;
  chunks: ChunkRepository;
}

/** How knowledge is kept; each transaction sees one workspace. */
export interface KnowledgeStore {
  /** Whether the database compares vectors itself, by pgvector. */
  hasVectors: () => Promise<boolean>;
  inWorkspace: <Result>(
    workspaceId: string,
    run: (repositories: KnowledgeRepositories) => Promise<Result>,
  ) => Promise<Result>;
}
