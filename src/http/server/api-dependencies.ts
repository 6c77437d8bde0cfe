import type { PayloadCodec } from '@temporalio/common';
import type { Logger } from 'pino';
import type { AgentDependencies } from '../../agents/agent-dependencies.ts';
import type { Database } from '../../db/connect-database.ts';
import type { ConnectionDependencies } from '../../connections/connection-dependencies.ts';
import type { StartIngestion } from '../../../workflows/contract/document-steps.ts';
import type { FunctionCatalogue } from '../../domain/function.ts';
import type { SearchKnowledge } from '../../domain/knowledge.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';
import type { TurnDependencies } from '../../turns/turn-dependencies.ts';

/** Everything that the HTTP API needs from the rest of the program. */
export interface Dependencies extends AgentDependencies, ConnectionDependencies, TurnDependencies {
  database: Database;
  providers: ProviderRegistry;
  functions: FunctionCatalogue;
  /** Null when embeddings can be made by the model, otherwise one sentence that says why not. */
  checkEmbeddingModel: (name: string, options: { hasConnection: boolean }) => string | null;
  searchKnowledge: SearchKnowledge;
  /** Starts the processing of a document, unless it is started already. */
  startIngestion: StartIngestion;
  /** Encrypts and decrypts the payloads in Temporal. */
  payloadCodec: PayloadCodec;
  /** Origins from which browsers may ask to decrypt payloads. @default none */
  codecOrigins?: readonly string[];
  isReady: () => Promise<{ database: boolean; temporal: boolean }>;
  logger: Logger;
}
