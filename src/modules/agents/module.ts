import './agent-schema-names.ts';
import type { WorkflowTargets } from '../../domain/workflow-target.ts';
import type { McpClientManager } from '../../engines/mcp/mcp-client-manager.ts';
import { checkModelName, findModelWarning } from '../../engines/models/model-name.ts';
import type { ModelsConfig } from '../../engines/models/models-config.ts';
import { createModelOffers } from '../../engines/models/offered-models.ts';
import { checkToolInputs } from '../../engines/tools/check-tool-inputs.ts';
import { createToolCheck } from '../../engines/tools/check-tool.ts';
import type { ToolCatalogues } from '../../engines/tools/tool-type.ts';
import { defineModule } from '../../platform/module/define-module.ts';
import { agentRoutes } from './agent-routes.ts';
import { agentToolRoutes } from './tools/agent-tool-routes.ts';
import { recommendedToolRoutes } from './tools/recommended-tool-routes.ts';
import { agentConfigurationRoutes } from './configuration/agent-configuration-routes.ts';
import { functionRoutes } from './function-routes.ts';
import { workflowTypeRoutes } from './workflow-type-routes.ts';
import { modelRoutes } from './models/model-routes.ts';
import { toolStateSchema } from '../../domain/discovered-tool.ts';
import { agentConfigurationSchema } from '../../domain/connector.ts';
import { workflowTypeSchema } from '../../domain/workflow-target.ts';

declare module '../../domain/audit.ts' {
  interface AuditTypes {
    'tool.quarantined': true;
    'tool.accepted': true;
    'agent.configured': true;
    'agent.deleted': true;
  }
}

/** The parts of the API that the module uses. */
export interface ApiParts extends ToolCatalogues {
  config: { models: ModelsConfig; mcpConfigPath?: string | undefined };
  mcp: Pick<McpClientManager, 'servers'>;
  workflowTargets: WorkflowTargets;
}

/** The module of agents. */
export const agents = defineModule({
  name: 'agents',
  routes: [
    ...agentRoutes,
    ...agentToolRoutes,
    ...recommendedToolRoutes,
    ...agentConfigurationRoutes,
    ...functionRoutes,
    ...workflowTypeRoutes,
    ...modelRoutes,
  ],
  schemas: {
    ToolState: toolStateSchema,
    AgentConfiguration: agentConfigurationSchema,
    WorkflowType: workflowTypeSchema,
  },
  api: ({ config, mcp, workflowTargets, functions }: ApiParts) => ({
    checkModelName: (name: string, options?: { hasConnection: boolean }) =>
      checkModelName(config.models, name, options),
    findModelWarning: (name: string, options?: { hasConnection: boolean }) =>
      findModelWarning(config.models, name, options),
    listModelOffers: createModelOffers(config.models),
    checkTools: checkToolInputs,
    checkTool: createToolCheck({ functions }),
    workflowTypes: workflowTargets,
    // Without a catalogue this process does not know the MCP servers of the workers, and checks no names.
    ...(config.mcpConfigPath === undefined ? {} : { mcpServers: mcp.servers() }),
  }),
});
