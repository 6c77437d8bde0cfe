import type { ChunkRepository } from './search/chunk-repository.ts';
import type { DocumentProcessingRepository } from './document-processing-repository.ts';
import type { KnowledgeBaseRepository } from './bases/knowledge-base-repository.ts';

/** The repositories for processing and searching documents, in one transaction. */
interface KnowledgeRepositories {
  knowledgeBases: KnowledgeBaseRepository;
  documents: DocumentProcessingRepository;
  chunks: ChunkRepository;
}

/** Runs transactions with these repositories, each in one workspace. */
export interface KnowledgeStore {
  /** Whether the database can compare vectors (pgvector). */
  hasVectors: () => Promise<boolean>;
  inWorkspace: <Result>(
    workspaceId: string,
    run: (repositories: KnowledgeRepositories) => Promise<Result>,
  ) => Promise<Result>;
}
