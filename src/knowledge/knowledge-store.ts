import type { ChunkRepository } from '../db/knowledge/chunk-repository.ts';
import type { DocumentRepository } from '../db/knowledge/document-repository.ts';
import type { KnowledgeBaseRepository } from '../db/knowledge/knowledge-base-repository.ts';

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
