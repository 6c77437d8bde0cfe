import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect-database.ts';
import type { ToolDiscovery } from '../../domain/discovered-tool.ts';
import type { FunctionCatalogue } from '../../domain/function.ts';
import type { ModelOffer } from '../../domain/model-offer.ts';
import type { WorkspaceModelStates } from '../../domain/model-state.ts';
import type { WorkflowTargets } from '../../domain/workflow-target.ts';
import type { ToolCheck } from '../../engines/tools/check-tool.ts';

/** Everything that the use cases of agents need from the rest of the program. */
export interface AgentDependencies {
  database: Database;
  /** Lists the tools that a connection offers. */
  discovery: ToolDiscovery;
  /** How long each connection may take to list its tools when several are asked, in milliseconds. @default 4000 */
  discoveryTimeoutMs?: number;
  /** Null when the model can be used, otherwise one sentence that says why not. */
  checkModelName: (name: string, options?: { hasConnection: boolean }) => string | null;
  /** Null when the key of a model is known or not needed, otherwise one sentence about what has to be set. */
  findModelWarning: (name: string, options?: { hasConnection: boolean }) => string | null;
  checkTool: ToolCheck;
  functions: FunctionCatalogue;
  /** The names of the servers in the operator's MCP catalogue. @default none */
  mcpServers?: readonly string[];
  /** The workflows that tools of type `workflow` can start. */
  workflowTypes: WorkflowTargets;
  logger: Logger;
}

/** Everything that the list of models needs from the rest of the program. */
export interface ModelListDependencies extends Pick<AgentDependencies, 'database' | 'findModelWarning'> {
  /** Lists the models that can be named, with what they lack. */
  listModelOffers: () => Promise<ModelOffer[]>;
  modelStates: WorkspaceModelStates;
}
