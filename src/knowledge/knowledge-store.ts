import type { ChunkRepository } from '../db/knowledge/chunk-repository.ts';
import type { DocumentProcessingRepository } from '../db/knowledge/document-processing-repository.ts';
import type { KnowledgeBaseRepository } from '../db/knowledge/knowledge-base-repository.ts';

/** The repositories that documents are processed and searched with, inside one transaction. */
interface KnowledgeRepositories {
  knowledgeBases: KnowledgeBaseRepository;
  documents: DocumentProcessingRepository;
  chunks: ChunkRepository;
}

/** Opens transactions on knowledge, each in one workspace. */
export interface KnowledgeStore {
  /** Whether the database compares vectors itself, by pgvector. */
  hasVectors: () => Promise<boolean>;
  inWorkspace: <Result>(
    workspaceId: string,
    run: (repositories: KnowledgeRepositories) => Promise<Result>,
  ) => Promise<Result>;
}
