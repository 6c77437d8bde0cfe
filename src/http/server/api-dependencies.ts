import type { PayloadCodec } from '@temporalio/common';
import type { Logger } from 'pino';
import type { AgentDependencies } from '../../agents/agent-dependencies.ts';
import type { Database } from '../../db/connect-database.ts';
import type { Notifier, Wakeups } from '../../db/wakeups.ts';
import type { ConnectionService } from '../../domain/connection.ts';
import type { ToolDiscovery } from '../../domain/discovered-tool.ts';
import type { StartIngestion } from '../../../workflows/contract/document-steps.ts';
import type { FunctionCatalogue } from '../../domain/function.ts';
import type { SearchKnowledge } from '../../domain/knowledge.ts';
import type { AgentTurnInput } from '../../../workflows/contract/turn-steps.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';

/** Everything that the HTTP API needs from the rest of the program. */
export interface Dependencies extends AgentDependencies {
  database: Database;
  /** Starts the workflow of a turn, unless it is started already. */
  startTurn: (input: AgentTurnInput) => Promise<void>;
  /** Asks the workflow of a turn to stop. */
  cancelTurn: (turnId: string) => Promise<void>;
  notifier: Pick<Notifier, 'events' | 'stop'>;
  wakeups: Pick<Wakeups, 'onEvents'>;
  connections: ConnectionService;
  /** Lets go of what this process holds open over a connection that was changed or removed. */
  releaseConnection: (connection: { workspaceId: string; connectionId: string }) => void;
  /** Where browsers reach the API, without a slash at the end. */
  publicUrl: () => string;
  discovery: ToolDiscovery;
  providers: ProviderRegistry;
  functions: FunctionCatalogue;
  /** Null when embeddings can be made by the model, otherwise one sentence that says why not. */
  checkEmbeddingModel: (name: string, options: { hasConnection: boolean }) => string | null;
  searchKnowledge: SearchKnowledge;
  /** Starts the processing of a document, unless it is started already. */
  startIngestion: StartIngestion;
  /** Opens and seals what goes through Temporal. */
  payloadCodec: PayloadCodec;
  /** Origins from which browsers may ask to have it opened. @default none */
  codecOrigins?: readonly string[];
  isReady: () => Promise<{ database: boolean; temporal: boolean }>;
  logger: Logger;
  timings?: Partial<StreamTimings>;
}

/** How often streams look by themselves, and how long they stay silent; in milliseconds. */
export interface StreamTimings {
  /** @default 1000 */
  pollMs: number;
  /** @default 15000 */
  keepAliveMs: number;
}
