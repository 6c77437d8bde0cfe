import type { Logger } from 'pino';
import type { StartIngestion } from '../../workflows/contract/document-steps.ts';
import type { Database } from '../db/connect-database.ts';
import type { SearchKnowledge } from '../domain/knowledge.ts';

/** Everything that the use cases of knowledge bases and documents need from the rest of the program. */
export interface KnowledgeDependencies {
  database: Database;
  /** Null when embeddings can be made by the model, otherwise one sentence that says why not. */
  checkEmbeddingModel: (name: string, options: { hasConnection: boolean }) => string | null;
  searchKnowledge: SearchKnowledge;
  /** Starts the processing of a document, unless it is started already. */
  startIngestion: StartIngestion;
  logger: Logger;
}
