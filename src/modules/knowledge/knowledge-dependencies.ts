import type { Logger } from 'pino';
import type { StartIngestion } from './document-contract.ts';
import type { Database } from '../../platform/database/connect-database.ts';
import type { SearchKnowledge } from '../../domain/knowledge.ts';

/** Everything that the use cases of knowledge bases and documents need from the rest of the program. */
export interface KnowledgeDependencies {
  database: Database;
  /** Returns null when the model can make embeddings, otherwise one sentence with the reason. */
  checkEmbeddingModel: (name: string, options: { hasConnection: boolean }) => string | null;
  searchKnowledge: SearchKnowledge;
  /** Starts the processing of a document, unless it was started before. */
  startIngestion: StartIngestion;
  logger: Logger;
}
